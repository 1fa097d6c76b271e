import { afterEach } from '@jest/globals';

import type { TestGateway, TestGatewayOptions } from './test-gateway.ts';
import { startTestGateway } from './test-gateway.ts';
import { standIn, useInSuite } from './use-in-suite.ts';

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
  useInSuite(() => Promise.resolve({ close: () => current?.close() }));
  afterEach(() => {
    current?.products.reset();
    current?.reviews.reset();
  });
  return standIn(() => ({ ...current, start }) as SuiteGateway);
}
