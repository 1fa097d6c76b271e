import { afterAll, afterEach } from '@jest/globals';

import type { TestGateway, TestGatewayOptions } from './test-gateway.ts';
import { startTestGateway } from './test-gateway.ts';

/** The gateway of a suite. */
export interface SuiteGateway extends TestGateway {
  /** Starts it; a previous one is closed. */
  readonly start: (options?: TestGatewayOptions) => Promise<void>;
}

/** The gateway of a suite: its subgraphs behave again after each test, and it is closed at the end. */
export function useTestGateway(): SuiteGateway {
  let current: TestGateway | undefined;
  const start: SuiteGateway['start'] = async (next) => {
    await current?.close();
    current = await startTestGateway(next);
  };
  afterEach(() => {
    current?.products.reset();
    current?.reviews.reset();
  });
  afterAll(() => current?.close());
  return new Proxy({ start } as SuiteGateway, {
    get(target, name) {
      if (name === 'start') {
        return target.start;
      }
      if (current === undefined) {
        throw new Error('the gateway has not started');
      }
      return Reflect.get(current, name) as unknown;
    },
  });
}
