// A program: a gateway whose configuration is read again and again, and how many schemas the process holds after each
// time, as a JSON list. In a process of its own, as what V8 finds is of one realm, and a jest test has another.
import { rename, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { queryObjects } from 'node:v8';

import { GraphQLSchema } from 'graphql';

import { startTestGateway } from './test-gateway.ts';

const reloads = 4;
const gateway = await startTestGateway();
const counts: number[] = [];
for (let number = 1; number <= reloads; number += 1) {
  await writeFile(
    `${gateway.configPath}.new`,
    `persisted_queries: { enabled: true, local_manifests: ["${gateway.manifestPath}"], log_unknown: true }
limits: { max_depth: ${number} }`,
  );
  await rename(`${gateway.configPath}.new`, gateway.configPath);
  while (gateway.log.filter(({ msg }) => msg === 'configuration reloaded').length < number) {
    await delay(10);
  }
  counts.push(await settledCount(counts[1]));
}
await gateway.close();
process.stdout.write(JSON.stringify(counts));

/**
 * Replaced parts are closed in the background: counts until there are no more than expected, which never
 * happens with a leak.
 */
async function settledCount(expected = Infinity): Promise<number> {
  const endsMs = performance.now() + 10_000;
  for (;;) {
    const count = queryObjects(GraphQLSchema, { format: 'count' });
    if (count <= expected || performance.now() > endsMs) {
      return count;
    }
    await delay(50);
  }
}
