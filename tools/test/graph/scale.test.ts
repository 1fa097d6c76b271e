// The cost of a statement must not grow with its table: four times the rows read the same blocks, and no plan scans a
// large table from end to end. `pnpm generate-data` writes the rows.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { connectDatabase } from '../../../packages/services/database/src/index.ts';
import type { Database } from '../../../packages/services/database/src/index.ts';
import { probesOf, startSubgraph } from '../../../packages/services/subgraph/test/support/index.ts';
import type { StartedSubgraph } from '../../../packages/services/subgraph/test/support/index.ts';
import { createLogger } from '../../../packages/core/telemetry/src/index.ts';
import { caseCount, runScript } from '../../../packages/development/testing/src/index.ts';
import { identifiersIn } from './identifiers-in.ts';
import { pathOf, schemaOf, shippedSubgraphs, startOptionsOf } from './shipped-subgraphs.ts';

const small = { products: caseCount(5000), reviews: caseCount(25_000), orders: caseCount(5000) };
const fourTimes = { products: 4 * small.products, reviews: 4 * small.reviews, orders: 4 * small.orders };

/** PostgreSQL's statistics of a statement that it has run. */
interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

/** A table with fewer rows than this may be read whole. */
const largeTableRows = 4000;

describe.each(shippedSubgraphs)('With many rows, the subgraph %s', (name) => {
  const reads = probesOf(schemaOf(name)).filter(({ place }) => !place.startsWith('Mutation'));
  let subgraph: StartedSubgraph;
  /** As a superuser. */
  let admin: Database;
  let statements: string[];
  /** Of rows that the small tenant has, so that the large one has them too: one of each kind. */
  let identifiers: readonly string[];

  /** Notes down what the app sends, and gives it what it wants. */
  const noting = (database: Database): Database => ({
    ...database,
    asTenant(tenantId, query, options) {
      statements.push(query.toQuery());
      return database.asTenant(tenantId, query, options);
    },
  });

  beforeAll(async () => {
    const { seed: _seed, createApp, ...options } = await startOptionsOf(name);
    subgraph = await startSubgraph({
      ...options,
      createApp: ({ database, ...hosting }) => createApp({ ...hosting, database: noting(database) }),
    });
    admin = connectDatabase({
      url: subgraph.adminUrl,
      applicationName: 'scale',
      poolSize: 1,
      statementTimeoutMs: 30_000,
      logger: createLogger({ service: 'test', level: 'silent' }),
    });
  });
  afterAll(async () => {
    await admin.close();
    await subgraph.stop();
  });

  async function generate(size: typeof small): Promise<void> {
    const { code, stderr } = await runScript(new URL(`file://${pathOf(`apps/${name}/src/generate.ts`)}`), {
      DATABASE_URL: subgraph.adminUrl,
      GENERATE_TENANT: 'big',
      GENERATE_PRODUCTS: `${size.products}`,
      GENERATE_REVIEWS: `${size.reviews}`,
      GENERATE_ORDERS: `${size.orders}`,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await admin.query('vacuum analyze');
  }

  /** The plans of what all reading probes send, in their order. */
  async function plansOfProbes(): Promise<Plan[]> {
    statements = [];
    for (const probe of reads) {
      for (const id of identifiers) {
        await subgraph.ask(probe.document(id), {}, { tenant: 'big' });
      }
    }
    return await plansOf('analyze, buffers, format json');
  }

  /** The plans of what was sent last. */
  async function plansOf(explainOptions: string): Promise<Plan[]> {
    const { database } = subgraph;
    const plans: Plan[] = [];
    for (const statement of statements) {
      const explain = database.knex.raw(`explain (${explainOptions}) ${statement}`);
      const [row] = await database.asTenant<{ 'QUERY PLAN': [{ Plan: Plan }] }>('big', explain, {
        readOnly: true,
      });
      if (row !== undefined) {
        plans.push(row['QUERY PLAN'][0].Plan);
      }
    }
    return plans;
  }

  /** The tables that are read from beginning to end, of those that are large. */
  async function largeTablesScanned(plans: readonly Plan[]): Promise<string[]> {
    const large = await admin.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and reltuples > ${largeTableRows}`,
    );
    expect(large).not.toEqual([]);
    const scanned = new Set(plans.flatMap(sequentialScans));
    return large.map((table) => table.name).filter((table) => scanned.has(table));
  }

  it('reads no more with four times the rows, through indexes', async () => {
    await generate(small);
    identifiers = (await identifiersIn(admin, 'big')).flatMap((ids) => ids.slice(7, 8));
    const before = await plansOfProbes();
    await generate(fourTimes);
    const after = await plansOfProbes();

    expect(after.length).toBe(before.length);
    expect(after.length).toBeGreaterThan(0);
    expect(await largeTablesScanned(after)).toEqual([]);
    // An index of four times the entries may be one level higher.
    expect(sum(after.map(blocksOf))).toBeLessThanOrEqual(sum(before.map(blocksOf)) * 1.5);
  });

  it('would fail this test without its indexes', async () => {
    await admin.query(`
      do $$ declare statement text; begin
        for statement in
          select case when conname is null
            then format('drop index %s', indexrelid::regclass)
            else format('alter table %s drop constraint %I cascade', indrelid::regclass, conname)
          end
          from pg_index left join pg_constraint on conindid = indexrelid and contype in ('p', 'u')
          -- An index of a partition goes with its parent's.
          where indrelid in (
            select oid from pg_class where relnamespace = 'public'::regnamespace and not relispartition)
        loop execute statement; end loop;
      end $$`);
    expect(await largeTablesScanned(await plansOf('format json'))).not.toEqual([]);
  });
});

function sequentialScans(plan: Plan): string[] {
  const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(sequentialScans)];
}

function blocksOf(plan: Plan): number {
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
