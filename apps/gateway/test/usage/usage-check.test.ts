import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { composeSupergraph } from '@meridian/composition';
import type { Database } from '@meridian/database';
import { runScript } from '@meridian/testing';
import { buildSchema } from 'graphql';

import { queryHash } from '../../src/operation/operation-source.ts';
import type { RemovalVerdict } from '../../src/usage/check-removals.ts';
import { checkRemovals } from '../../src/usage/check-removals.ts';
import { createUsageRecords } from '../../src/usage/usage-records.ts';
import { createUsageStore } from '../../src/usage/usage-store.ts';
import { manifestOf } from '../support/test-gateway.ts';
import type { UsageDatabase } from '../support/usage-database.ts';
import { createUsageDatabase } from '../support/usage-database.ts';

const before =
  'type Query { time: String  old: String @deprecated(reason: "use time")  thing: Thing } type Thing { id: ID  name: String @deprecated }';
const withoutOld = before.replace(/ old:[^)]*\)/, '');
const operationId = 'cd'.repeat(32);

let directory: string;
let usageDatabase: UsageDatabase;
let database: Database;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'meridian-usage-check-'));
  usageDatabase = await createUsageDatabase();
  ({ database } = usageDatabase);
  await writeFile(join(directory, 'before.graphql'), supergraphOf(before));
  await writeFile(join(directory, 'after.graphql'), supergraphOf(withoutOld));
  await writeFile(
    join(directory, 'manifest.json'),
    manifestOf({ thing: 'query ThingPage { thing { id } }' }),
  );
});
afterEach(() => database.query('select forget_usage(-1)'));
afterAll(async () => {
  await usageDatabase.drop();
  await rm(directory, { recursive: true });
});

function supergraphOf(sdl: string): string {
  const { supergraphSdl } = composeSupergraph([{ name: 'one', routingUrl: 'http://one.invalid', sdl }]);
  return supergraphSdl ?? '';
}

/** Records that `fields` were used by one request so many days ago. */
async function recordUse(daysAgo: number, fields: readonly string[], text?: string): Promise<void> {
  const day = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  await createUsageStore(database).record(
    {
      id: crypto.randomUUID(),
      operations: [
        {
          id: operationId.replace(/^../, String(daysAgo).padStart(2, '0')),
          name: 'Page',
          fields,
          queryHash: text && queryHash(text),
        },
      ],
      usage: [
        {
          day,
          operationId: operationId.replace(/^../, String(daysAgo).padStart(2, '0')),
          clientName: 'web',
          clientVersion: '1.2',
          requests: 7,
          failed: 0,
          cost: 7,
          durations: [7],
          inputs: [],
        },
      ],
    },
    new AbortController().signal,
  );
}

/** The verdict on a change of the schema. */
function verdictOn(after: string, days = 30): Promise<RemovalVerdict> {
  return checkRemovals({
    before: buildSchema(before),
    after: buildSchema(after),
    records: createUsageRecords(database),
    days,
    registered: [{ name: 'ThingPage', text: 'query ThingPage { thing { id } }' }],
  });
}

describe('A field that a changed supergraph removes', () => {
  it('may go when it was retired and is unused', async () => {
    await recordUse(40, ['Query.time']);
    expect(await verdictOn(withoutOld)).toEqual({ removed: ['Query.old'], faults: [] });
  });

  it('may not go when it was used in the last days', async () => {
    await recordUse(40, ['Query.time']);
    await recordUse(3, ['Query.old', 'Query.time']);
    expect((await verdictOn(withoutOld)).faults).toEqual([
      expect.stringMatching(
        /^Query\.old is still used: 7 requests in 30 days, by web 1\.2 \(Page, last on \d{4}-\d\d-\d\d\)$/,
      ),
    ]);
  });

  it('may go when its last use was before that', async () => {
    await recordUse(40, ['Query.time']);
    await recordUse(3, ['Query.old']);
    expect((await verdictOn(withoutOld, 3)).faults).toEqual([]);
  });

  it('may not go when it was never retired, nor when the manifest selects it', async () => {
    await recordUse(40, ['Query.time']);
    expect((await verdictOn('type Query { time: String  old: String }')).faults).toEqual([
      'Query.thing was never retired: deprecate it first, with @deprecated(reason: "…"), and wait',
      "Query.thing is selected by the manifest's ThingPage",
      'Thing.id was never retired: deprecate it first, with @deprecated(reason: "…"), and wait',
      "Thing.id is selected by the manifest's ThingPage",
    ]);
  });

  it('may not go when usage was not recorded, or not for long enough', async () => {
    expect((await verdictOn(withoutOld)).faults).toEqual([
      expect.stringMatching(/^No usage is recorded, so nothing is known/),
    ]);
    await recordUse(3, ['Query.time']);
    expect((await verdictOn(withoutOld)).faults).toEqual([
      'Usage is recorded for 4 of the 30 days: wait, or ask for fewer with --days',
    ]);
  });

  it('does not exist when fields are only added', async () => {
    expect(await verdictOn(`${before} type More { id: ID }`)).toEqual({ removed: [], faults: [] });
  });
});

describe('pnpm usage:check', () => {
  it('exits 1 and names the clients of a removed field', async () => {
    await recordUse(40, ['Query.time']);
    await recordUse(3, ['Query.old']);
    const { code, stdout, stderr } = await check();
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/^Query\.old is still used: 7 requests/),
    ]);
  });

  it('exits 0 when the removed field may go', async () => {
    await recordUse(40, ['Query.time']);
    expect(await check()).toEqual({
      code: 0,
      stdout: 'Query.old: retired, and not used for 30 days\n',
      stderr: '',
    });
  });

  it('exits 1 and names the clients of an identifier that leaves the manifest, and of one with another text', async () => {
    const file = join(directory, 'manifest-before.json');
    const gone = 'query Gone { time }';
    await writeFile(
      file,
      manifestOf({ thing: 'query ThingPage { thing { name } }', gone, unused: 'query Unused { time }' }),
    );
    await recordUse(40, ['Query.time']);
    await recordUse(3, ['Query.time'], gone);
    const flags = ['--manifest', join(directory, 'manifest.json'), '--manifest-before', file];
    expect(await run(...flags)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^thing \(ThingPage\) has a new text: .*\ngone \(Gone\) leaves the manifest and is used: 7 requests in 30 days, by web 1\.2 \(Page, last on [-\d]+\)\n$/,
      ),
    });
    await writeFile(file, manifestOf({ unused: 'query Unused { time }' }));
    expect(await run(...flags)).toEqual({ code: 0, stdout: 'unused: not used for 30 days\n', stderr: '' });
  });

  it('exits 2 without a record of usage', async () => {
    expect(await run()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--manifest-before is missing'),
    });
  });

  it.each([
    [['--days', 'soon'], '--days is "soon"; it takes a whole number from 1 to 9999'],
    [['--dyas', '3'], "Unknown option '--dyas'"],
  ])('exits 2 and says what is wrong with %j', async (flags, fault) => {
    expect(await check(...flags)).toEqual({
      code: 2,
      stdout: '',
      stderr: `${fault}: see pnpm usage:check --help\n`,
    });
  });
});

async function run(...flags: readonly string[]): ReturnType<typeof runScript> {
  return await runScript(
    new URL('../../../../tools/commands/usage-check.ts', import.meta.url),
    { DATABASE_URL: usageDatabase.url },
    flags,
  );
}

async function check(...flags: readonly string[]): ReturnType<typeof runScript> {
  return await run(
    ...['before', 'after']
      .flatMap((name) => [`--${name}`, join(directory, `${name}.graphql`)])
      .concat('--manifest', join(directory, 'manifest.json'), flags),
  );
}
