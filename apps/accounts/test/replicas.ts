import process from 'node:process';

import { startRoundRobinProxy, startServiceProcess } from '@meridian/testing';
import type { LoopbackServer } from '@meridian/testing';

/** True when the suites of this run ask two processes in turn, instead of one application in their own. */
export function isReplicated(): boolean {
  return process.env['MERIDIAN_TEST_REPLICAS'] === '2';
}

/** Two processes with one database and the same keys, which get requests in turn. */
export async function startReplicas(environment: Readonly<Record<string, string>>): Promise<LoopbackServer> {
  const main = new URL('../src/main.ts', import.meta.url);
  const replicas = await Promise.all([
    startServiceProcess(main, environment),
    startServiceProcess(main, environment),
  ]);
  const proxy = await startRoundRobinProxy(replicas.map(({ url }) => url));
  return {
    url: proxy.url,
    async close() {
      await proxy.close();
      for (const { child } of replicas) {
        child.kill('SIGKILL');
      }
      await Promise.all(replicas.map(({ exited }) => exited));
    },
  };
}
