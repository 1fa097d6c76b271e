import type { HttpLoad } from '../harness/http-contender.ts';
import { httpContender } from '../harness/http-contender.ts';
import type { Request } from '../harness/clients.ts';
import type { Contender } from '../harness/measure-in-slices.ts';
import type { Accounts } from './create-accounts.ts';
import { pgbenchContender } from './pgbench.ts';
import { etagOf } from './read-contenders.ts';
import type { Server, Servers } from './start-servers.ts';
import { shareOf } from './written-accounts.ts';
import type { WrittenAccounts } from './written-accounts.ts';

interface WriteOptions extends HttpLoad {
  readonly few: Accounts;
  readonly many: Accounts;
  readonly servers: Servers;
  readonly token: string;
  /** Of the PostgreSQL's administrator. */
  readonly adminUrl: string;
}

/** PUT, and pgbench with the same two statements, and with the second of them alone. */
export function writeContenders(options: WriteOptions): Contender[] {
  const { few, many, servers } = options;
  const writers = 3;
  const count = Math.floor(few.count / writers);
  const share = (accounts: Accounts, writer: number): WrittenAccounts =>
    shareOf(accounts, { writer, writers, count });
  const pgbench = (name: string, written: WrittenAccounts, looksUp: boolean) =>
    pgbenchContender({ ...options, name, written, looksUp });
  const put = (name: string, server: Server, written: WrittenAccounts) =>
    httpContender({ name, pids: [server.pid], requestOf: putsTo(server, written, options.token) }, options);
  return [
    pgbench('pgbench', share(few, 0), true),
    pgbench('pgbench, the swap alone', share(few, 1), false),
    put('PUT', servers.few, share(few, 2)),
    pgbench(`pgbench on ${many.count}`, share(many, 0), true),
    put(`PUT on ${many.count}`, servers.many, share(many, 2)),
  ];
}

/** Each request writes the next account, so that the benchmark knows its revision. */
function putsTo(
  { url }: Server,
  { accounts, first, step, count }: WrittenAccounts,
  token: string,
): (n: number) => Request {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (n) => {
    const identifier = `account-${first + step * (n % count)}`;
    const revision = BigInt(1 + Math.floor(n / count));
    return {
      method: 'PUT',
      url: `${url}/accounts/${identifier}`,
      headers: { ...headers, 'if-match': etagOf(accounts, identifier, revision) },
      body: `{"balance_minor_units":${n}}`,
    };
  };
}
