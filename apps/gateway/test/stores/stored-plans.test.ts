import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { persisted } from '../support/test-gateway.ts';
import { bodiesOf, createPlanningGateways, plannedBy, sampleOf } from './planning-gateways.ts';

const gateways = createPlanningGateways();
let folder: string;
let config: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-plans-'));
  config = `meridian: { plan_cache: { path: ${JSON.stringify(folder)} } }`;
});
afterEach(async () => {
  await gateways.close();
  await rm(folder, { recursive: true });
});

describe('A gateway with meridian.plan_cache', () => {
  it('plans nothing at its second start, and answers alike', async () => {
    const first = await gateways.start(config);
    await untilStored();
    const second = await gateways.start(config);

    expect(await bodiesOf(second)).toEqual(await bodiesOf(first));
    expect([await plannedBy(first), await plannedBy(second)]).toEqual([2, 0]);
    expect(await sampleOf(first, 'apollo_router_cache_miss_time_count', 'storage="disk"')).toBe(3);
    expect(await sampleOf(second, 'apollo_router_cache_hit_time_count', 'storage="disk"')).toBe(3);
  });

  it('plans an operation that is not in the directory', async () => {
    await gateways.start(config);
    await untilStored();
    const second = await gateways.start(config, { three: 'query Three { topProducts { id } }' });

    expect((await second.post(persisted('three'))).body.errors).toBeUndefined();
    expect(await plannedBy(second)).toBe(1);
  });

  it('counts a damaged plan, makes it again and replaces it', async () => {
    await gateways.start(config);
    const names = await untilStored();
    await Promise.all(names.map((name) => writeFile(join(folder, name), 'damaged')));

    const second = await gateways.start(config);
    expect(await plannedBy(second)).toBe(2);
    expect(await sampleOf(second, 'meridian_plan_store_errors_total', 'storage="disk"')).toBe(3);
    await eventually(async () => expect(await plannedBy(await gateways.start(config))).toBe(0));
  });
});

/** The files of both operations, and of one that shows that the planner can read the supergraph. */
async function untilStored(): Promise<readonly string[]> {
  let names: readonly string[] = [];
  await eventually(async () => {
    names = await readdir(folder);
    expect(names.map((name) => name.length)).toEqual([64, 64, 64]);
  });
  return names;
}
