import type { Cursors } from '@meridian/rest';
import { callerOf, signalOf } from '@meridian/http';
import { array, jsonSchemaOf, named, nullable, object } from '@meridian/json';
import { queryOf, route } from '@meridian/rest/openapi';
import type { ParameterDescription, Route } from '@meridian/rest/openapi';
import { problem } from '@meridian/problem-details';
import { acceptedType, availableAsJson, filterText, sendJson } from '@meridian/rest';

import { accountIdSchema } from '../../accounts/account-id.ts';
import { accountSchema } from '../../accounts/representations.ts';
import { creationTimeOf, creationTimeParameters } from '../../pagination/creation-time.ts';
import { pageParameters, pageRequestOf } from '../../pagination/page-request.ts';
import { pagesOf, readPage } from '../../pagination/pages.ts';
import type { AccountStore } from '../../store/account-store.ts';

const accountPages = pagesOf('AccountPage', accountSchema);

const maxIds = 100;

const idParameter: ParameterDescription = {
  name: 'id',
  in: 'query',
  isRequired: false,
  description: `Exactly the accounts of these identifiers, 1 to ${maxIds}, in this order: null for each that does not exist. The response has no \`next_cursor\` then, and no other parameter is taken.`,
  schema: { type: 'array', items: jsonSchemaOf(accountIdSchema), minItems: 1, maxItems: maxIds },
};

const parameters = [idParameter, ...creationTimeParameters, ...pageParameters];

/** The accounts of given identifiers. */
const accountListSchema = named(
  'AccountList',
  object({ items: array(nullable(accountSchema), { maxItems: maxIds }) }),
);

const availablePages = availableAsJson('Pages of accounts are available as application/json.');

/**
 * `GET /accounts`: pages by creation time, then identifier, both descending.
 * Spec: Resource conventions, Collection.
 */
export function listAccounts(accounts: AccountStore, cursors: Cursors): Route {
  return route(
    {
      id: 'listAccounts',
      summary: 'List accounts',
      description:
        'All accounts of the tenant, or those created in a time, in pages: newest first; accounts of the same microsecond by identifier, descending. With `id`, the accounts of these identifiers.',
      tag: 'Accounts',
      scope: 'accounts:read',
      parameters,
      responses: {
        200: {
          ...accountPages.response,
          description: 'A page, newest first; or the accounts of these identifiers, in their order.',
          content: {
            'application/json': {
              jsonSchema: (reference) => ({
                anyOf: [accountPages.schema.jsonSchema(reference), accountListSchema.jsonSchema(reference)],
              }),
            },
          },
        },
      },
      problems: ['invalid-cursor'],
    },
    async (request, response) => {
      const { tenantId } = callerOf(request);
      acceptedType(request, availablePages);
      const requested = pageRequestOf(request, parameters);
      const query = queryOf(request);
      if (query.has('id')) {
        const ids = idsOf(query);
        const found = new Map(
          (await accounts.findAll(tenantId, ids, signalOf(request))).map((account) => [account.id, account]),
        );
        const items = ids.map((id) => found.get(id) ?? null);
        sendJson(request, response, accountListSchema.write({ items }));
        return;
      }
      const created = creationTimeOf(request);
      const filter = filterText({
        created_after: created.createdAfter,
        created_before: created.createdBefore,
      });
      const scope = { tenantId, collection: '/accounts', filter };

      const page = await readPage({
        cursors,
        scope,
        requested,
        load: (start) => accounts.list(tenantId, { ...created, ...start }, signalOf(request)),
      });
      accountPages.send(request, response, page);
    },
  );
}

/** @throws {Problem} `invalid-parameter` for too many identifiers, and beside another parameter */
function idsOf(query: URLSearchParams): string[] {
  const ids = query.getAll('id');
  const other = [...query.keys()].find((name) => name !== 'id');
  if (other !== undefined) {
    throw problem('invalid-parameter', `Cannot read the query: ${other} does not go with id.`);
  }
  if (ids.length > maxIds) {
    throw problem('invalid-parameter', `Cannot read the query: it has more than ${maxIds} values of id.`);
  }
  return ids;
}
