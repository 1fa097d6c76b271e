import { createEntityTags } from '@meridian/etag';

import type { Request } from '../harness/clients.ts';
import { httpContender } from '../harness/http-contender.ts';
import type { HttpLoad } from '../harness/http-contender.ts';
import type { Contender } from '../harness/measure-in-slices.ts';
import type { Accounts } from './create-accounts.ts';
import { etagKey } from './start-servers.ts';
import type { Servers } from './start-servers.ts';

interface ReadOptions extends HttpLoad {
  readonly few: Accounts;
  readonly many: Accounts;
  readonly servers: Servers;
  readonly token: string;
}

/** Those whose reads are compared. Fails when one responds with something else. */
export async function readContenders(options: ReadOptions): Promise<Contender[]> {
  const { few, many, servers, token } = options;
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
  const { bare, revalidated } = servers;
  const contenders = [
    { name: 'GET bare', server: bare, requestOf: readOf(bare.url, few) },
    { name: 'GET 200', server: servers.few, requestOf: readOf(servers.few.url, few) },
    { name: 'GET 304', server: revalidated, requestOf: revalidating },
    { name: `GET 200 of ${many.count}`, server: servers.many, requestOf: readOf(servers.many.url, many) },
  ];
  await requireResponses(contenders);
  return contenders.map(({ server, ...contender }) =>
    httpContender({ ...contender, pids: [server.pid] }, options),
  );
}

/** Spread over all of them, and the same in each round. */
function accountAt(n: number, count: number): string {
  return `account-${(n * 7919) % count}`;
}

const tags = createEntityTags({ keys: [etagKey] });

/** The tag of an account; without a revision, the tag of an account that does not exist yet. */
export function etagOf({ tenantId, storeEpoch }: Accounts, identifier: string, revision = 1n): string {
  return tags.of({ tenantId, identifier, revision, storeEpoch });
}

async function requireResponses(
  contenders: readonly { readonly name: string; readonly requestOf: (n: number) => Request }[],
): Promise<void> {
  const responses = await Promise.all(
    contenders.map(async ({ name, requestOf }) => {
      const { url, ...request } = requestOf(1);
      const response = await fetch(url, request);
      const number = url.slice(url.lastIndexOf('-') + 1);
      const account = `{"id":"account-${number}","balance_minor_units":${number}}`;
      return {
        httpResponse: `${name}: ${response.status} ${await response.text()}`,
        expected: name === 'GET 304' ? 'GET 304: 304 ' : `${name}: 200 ${account}`,
      };
    }),
  );
  for (const { httpResponse, expected } of responses) {
    if (httpResponse !== expected) {
      throw new Error(`not as expected: ${httpResponse}`);
    }
  }
}
