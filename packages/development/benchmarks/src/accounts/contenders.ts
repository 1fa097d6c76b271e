import { createEntityTags } from '@meridian/etag';

import type { Request } from '../harness/clients.ts';
import { httpContender } from '../harness/http-contender.ts';
import type { HttpLoad } from '../harness/http-contender.ts';
import type { Contender } from '../harness/measure-in-slices.ts';
import type { Accounts } from './create-accounts.ts';
import { pgbenchContender } from './pgbench.ts';
import { etagKey } from './start-servers.ts';
import type { Servers } from './start-servers.ts';

interface ContenderOptions extends HttpLoad {
  readonly accounts: Accounts;
  readonly servers: Servers;
  readonly token: string;
  /** Of the PostgreSQL's administrator. */
  readonly adminUrl: string;
}

/**
 * Those whose reads are compared.
 *
 * @throws {Error} when one responds with something else
 */
export async function readContenders(options: ContenderOptions): Promise<Contender[]> {
  const { accounts, servers, token } = options;
  const headers = { authorization: `Bearer ${token}` };
  /** Spread over all of them, and the same in each round. */
  const accountAt = (n: number): number => (n * 7919) % accounts.count;
  const read =
    (url: string, headersOf: (account: number) => Request['headers']) =>
    (n: number): Request => ({
      method: 'GET',
      url: `${url}/accounts/account-${accountAt(n)}`,
      headers: headersOf(accountAt(n)),
    });
  const revalidate = read(servers.revalidated.url, (account) => ({
    ...headers,
    'if-none-match': etagOf(accounts, account),
  }));
  const contenders = [
    { name: 'GET bare', server: servers.bare, requestOf: read(servers.bare.url, () => headers) },
    { name: 'GET 200', server: servers.service, requestOf: read(servers.service.url, () => headers) },
    { name: 'GET 304', server: servers.revalidated, requestOf: revalidate },
  ];
  for (const { name, requestOf } of contenders) {
    const { url, ...request } = requestOf(1);
    const response = await fetch(url, request);
    const actual = `${response.status} ${await response.text()}`;
    const account = `{"id":"account-${accountAt(1)}","balance_minor_units":${accountAt(1)}}`;
    if (actual !== (name === 'GET 304' ? '304 ' : `200 ${account}`)) {
      throw new Error(`${name} is not as expected: ${actual}`);
    }
  }
  return contenders.map(({ server, ...contender }) =>
    httpContender({ ...contender, pids: [server.pid] }, options),
  );
}

/** PUT, and pgbench with the same two statements. Each writes half of the accounts, so that it knows their revisions. */
export function writeContenders(options: ContenderOptions): Contender[] {
  const { accounts, servers, token } = options;
  const count = Math.floor(accounts.count / 2);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return [
    pgbenchContender({ ...options, count }),
    httpContender(
      {
        name: 'PUT',
        pids: [servers.service.pid],
        requestOf: (n) => {
          const account = count + (n % count);
          return {
            method: 'PUT',
            url: `${servers.service.url}/accounts/account-${account}`,
            headers: { ...headers, 'if-match': etagOf(accounts, account, BigInt(1 + Math.floor(n / count))) },
            body: `{"balance_minor_units":${n}}`,
          };
        },
      },
      options,
    ),
  ];
}

const tags = createEntityTags({ keys: [etagKey] });

function etagOf({ tenantId, storeEpoch }: Accounts, account: number, revision = 1n): string {
  return tags.of({ tenantId, identifier: `account-${account}`, revision, storeEpoch });
}
