import { describe, expect, it } from '@jest/globals';

import { startExecutor } from './executor-under-test.ts';
import { useInSuite } from '../support/use-in-suite.ts';

describe('Planning', () => {
  /** The caller of each operation that the planner has received. */
  const callers: (string | undefined)[] = [];
  const executor = useInSuite(() =>
    startExecutor('fast_path', (planner) => ({
      ...planner,
      plan(operation, labels, caller) {
        callers.push(caller);
        return planner.plan(operation, labels, caller);
      },
    })),
  );

  it('takes turns among tenants, and among the addresses of anonymous clients', async () => {
    const identity = {
      tenantId: 'acme',
      subject: 'alice',
      issuer: 'https://issuer.example',
      scopes: new Set<string>(),
      expiresAt: 4_102_444_800,
    };
    await executor.run('query A { time }', { identity });
    await executor.run('query B { time }', { identity: { ...identity, tenantId: 'globex' } });
    await executor.run('query C { time }');

    expect(callers).toEqual(['acme', 'globex', '127.0.0.1']);
  });
});
