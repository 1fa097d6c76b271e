import { createEntityTags } from '@meridian/etag';

import type { Request } from '../harness/clients.ts';
import type { Contender } from '../harness/measure-in-turn.ts';
import type { Accounts } from './create-accounts.ts';
import { etagKey } from './start-servers.ts';
import type { Servers } from './start-servers.ts';

interface ReadOptions {
  readonly few: Accounts;
  readonly many: Accounts;
  readonly servers: Servers;
  readonly token: string;
}

/** Those whose reads are compared. Fails where one answers something else. */
export async function readContenders({ few, many, servers, token }: ReadOptions): Promise<Contender[]> {
  const headers = { authorization: `Bearer ${token}` };
  const readOf =
    (url: string, { count }: Accounts) =>
    (n: number): Request => ({
      method: 'GET',
      url: `${url}/accounts/${accountAt(n, count)}`,
      headers,
    });
  const revalidating = (n: number): Request => {
    const identifier = accountAt(n, few.count);
    return {
      method: 'GET',
      url: `${servers.revalidated.url}/accounts/${identifier}`,
      headers: { ...headers, 'if-none-match': etagOf(few, identifier) },
    };
  };
  const contenders = [
    { name: 'GET bare', pid: servers.bare.pid, requestOf: readOf(servers.bare.url, few) },
    {
      name: 'GET bare, on Express',
      pid: servers.express.pid,
      requestOf: readOf(servers.express.url, few),
    },
    { name: 'GET 200', pid: servers.few.pid, requestOf: readOf(servers.few.url, few) },
    { name: 'GET 304', pid: servers.revalidated.pid, requestOf: revalidating },
    {
      name: `GET 200 of ${many.count}`,
      pid: servers.many.pid,
      requestOf: readOf(servers.many.url, many),
    },
  ];
  await requireResponses(contenders);
  return contenders;
}

/** Spread over all of them, and the same in each round. */
function accountAt(n: number, count: number): string {
  return `account-${(n * 7919) % count}`;
}

const tags = createEntityTags({ keys: [etagKey] });

/** The tag of an account; without a revision, the tag of an account that does not exist yet. */
export function etagOf(
  { tenantId, storeEpoch }: Pick<Accounts, 'tenantId' | 'storeEpoch'>,
  identifier: string,
  revision = 1n,
): string {
  return tags.of({ tenantId, identifier, revision, storeEpoch });
}

async function requireResponses(contenders: readonly Contender[]): Promise<void> {
  const responses = await Promise.all(
    contenders.map(async ({ name, requestOf }) => {
      const { url, ...request } = requestOf(1);
      const response = await fetch(url, request);
      return `${name}: ${response.status} ${await response.text()}`;
    }),
  );
  const account = '{"id":"account-7919","balance_minor_units":7919}';
  for (const httpResponse of responses) {
    const expected = httpResponse.startsWith('GET 304') ? 'GET 304: 304 ' : `200 ${account}`;
    if (!httpResponse.endsWith(expected)) {
      throw new Error(`not as expected: ${httpResponse}`);
    }
  }
}
