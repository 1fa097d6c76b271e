// Another tenant's identifiers, put in everywhere that the schemas let one put an identifier in (Spec: Authentication,
// rule 2).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { connectDatabase } from '../../../packages/services/database/src/index.ts';
import { createIdentifier } from '../../../packages/services/subgraph/src/index.ts';
import { probesOf, startSubgraph } from '../../../packages/services/subgraph/test/support/index.ts';
import type {
  GraphqlBody,
  StartedSubgraph,
  StartOptions,
} from '../../../packages/services/subgraph/test/support/index.ts';
import { createLogger } from '../../../packages/core/telemetry/src/index.ts';
import { identifiersIn } from './identifiers-in.ts';
import { schemaOf, shippedSubgraphs, startOptionsOf } from './shipped-subgraphs.ts';

type Database = Parameters<StartOptions['createApp']>[0]['database'];

/**
 * Statements that read and change rows without naming the tenant, whatever the store says: what is left is row-level
 * security.
 */
function forgettingTheTenant(database: Database): Database {
  return {
    ...database,
    asTenant(tenantId, query, options) {
      const sql = query.toQuery();
      const forgetful = sql.replaceAll(/(?:"?\w+"?\.)?"?tenant_id"? = '\w+'/g, 'true');
      if (forgetful === sql && !sql.includes('insert into')) {
        throw new Error(`There is no tenant in ${sql}`);
      }
      const readOnly = options?.readOnly ?? /^(?:select|with \w+ as \(select)/.test(sql.trim());
      return database.asTenant(tenantId, database.knex.raw(forgetful), { ...options, readOnly });
    },
  };
}

describe.each([
  { stores: 'its stores as they are', wrap: (database: Database) => database },
  { stores: 'stores that forget their tenant', wrap: forgettingTheTenant },
])('With $stores,', ({ wrap }) => {
  describe.each(shippedSubgraphs)('the subgraph %s', (name) => {
    const probes = probesOf(schemaOf(name));
    const reads = probes.filter(({ place }) => !place.startsWith('Mutation'));
    let subgraph: StartedSubgraph;
    /** The identifiers of everything that globex has here. */
    let foreignIdentifiers: ReadonlySet<string>;
    /** One of each kind: the ones that are put in. */
    let probedIdentifiers: readonly string[];
    /** Globex's own view, before other tenants have tried anything. */
    let seenByOwner: GraphqlBody[];

    const askAsOwner = () =>
      Promise.all(
        reads.flatMap((probe) =>
          probedIdentifiers.map((id) => subgraph.ask(probe.document(id), {}, { tenant: 'globex' })),
        ),
      );

    beforeAll(async () => {
      const { createApp, ...options } = await startOptionsOf(name);
      subgraph = await startSubgraph({
        ...options,
        createApp: ({ database, ...hosting }) => createApp({ ...hosting, database: wrap(database) }),
      });
      const admin = connectDatabase({
        url: subgraph.adminUrl,
        applicationName: 'tenants',
        poolSize: 1,
        statementTimeoutMs: 30_000,
        logger: createLogger({ service: 'test', level: 'silent' }),
      });
      const kinds = await identifiersIn(admin, 'globex');
      await admin.close();
      foreignIdentifiers = new Set(kinds.flat());
      probedIdentifiers = [...new Set(kinds.flatMap((identifiers) => identifiers.slice(0, 1)))];
      seenByOwner = await askAsOwner();
    });
    afterAll(() => subgraph.stop());

    /** The identifiers of globex in a text. */
    const foreignIn = (text: string): string[] =>
      (text.match(identifierPattern) ?? []).filter((id) => foreignIdentifiers.has(id));

    it.each(probes)(
      'answers $place for another tenant’s identifier as for an absent one, and shows no other',
      async (probe) => {
        for (const foreign of probedIdentifiers) {
          const absent = createIdentifier();
          const toForeign = comparable(
            await subgraph.ask(probe.document(foreign)),
            foreign,
            foreignIdentifiers,
          );
          const toAbsent = comparable(await subgraph.ask(probe.document(absent)), absent, foreignIdentifiers);
          expect(toForeign).toEqual(toAbsent);
          expect(foreignIn(toForeign)).toEqual([]);
        }
      },
    );

    it('shows the owner data that no other tenant gets, unchanged by all of that', async () => {
      const responses = JSON.stringify(seenByOwner);
      expect(foreignIn(responses)).not.toEqual([]);
      expect(await askAsOwner()).toEqual(seenByOwner);
    });

    it("has no table that shows another tenant's row to a statement without a condition", async () => {
      const { database } = subgraph;
      const tables = await database.query<{ name: string }>(
        `select table_name as name from information_schema.columns
        where column_name = 'tenant_id' and table_schema = 'public'`,
        [],
        { readOnly: true },
      );
      expect(tables).not.toEqual([]);
      for (const table of tables) {
        expect(await subgraph.tenantsSeenIn(table.name)).toEqual([]);
        expect(await subgraph.tenantsSeenIn(table.name, 'nobody')).toEqual([]);
      }
    });
  });
});

const identifierPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** An answer without what is another each time: the identifier that was sent, those that were made, and the time. */
function comparable(response: GraphqlBody, sent: string, foreign: ReadonlySet<string>): string {
  return JSON.stringify(response)
    .replaceAll(sent, '<sent>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(identifierPattern, (id) => (foreign.has(id) || id[14] !== '7' ? id : '<made>'));
}
