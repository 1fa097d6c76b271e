import { driveLoad, type Request } from '@meridian/bench-kit';

import type { Accounts } from './create-accounts.ts';
import { runPgbench } from './pgbench.ts';
import { etagOf } from './read-contenders.ts';
import type { Server, Servers } from './start-servers.ts';

interface WriteOptions {
  readonly few: Accounts;
  readonly many: Accounts;
  readonly servers: Servers;
  readonly token: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly note: (line: string) => void;
}

/**
 * Measures PUT in turn with pgbench, which sends the same two statements over as many connections; says in a table what they
 * come to in a second. Both share the machine with PostgreSQL, PUT also with the client of this benchmark.
 */
export async function measureWrites(options: WriteOptions): Promise<string> {
  const { few, many, servers, token, rounds, seconds, connections, note } = options;
  const putFew = putsTo(servers.few, few, token);
  const putMany = putsTo(servers.many, many, token);
  const put = async (requestOf: () => Request): Promise<number> => {
    const { requests, seconds: took } = await driveLoad({ requestOf, connections, seconds });
    return requests / took;
  };
  const contenders: { name: string; measure: () => Promise<number>; rates: number[] }[] = [
    { name: 'pgbench', measure: () => runPgbench(few, { seconds, connections }), rates: [] },
    { name: 'PUT', measure: () => put(putFew), rates: [] },
    {
      name: `pgbench on ${many.count}`,
      measure: () => runPgbench(many, { seconds, connections }),
      rates: [],
    },
    { name: `PUT on ${many.count}`, measure: () => put(putMany), rates: [] },
  ];
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, measure, rates } of contenders) {
      note(round === 0 ? `warming up: ${name}` : `round ${round}: ${name}`);
      const rate = await measure();
      if (round > 0) rates.push(rate);
    }
  }
  const base = median(contenders[0]?.rates ?? []);
  const rows = contenders.map(({ name, rates }) => [
    name,
    median(rates).toFixed(0),
    (median(rates) / base).toPrecision(2),
  ]);
  const head = ['who', 'writes / s', '× pgbench'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** Each request writes the next account of the lower half, so that its revision is known; pgbench has the upper half. */
function putsTo({ url }: Server, accounts: Accounts, token: string): () => Request {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const half = Math.floor(accounts.count / 2);
  let sent = 0;
  return () => {
    const identifier = `account-${sent % half}`;
    const revision = BigInt(1 + Math.floor(sent / half));
    sent += 1;
    return {
      method: 'PUT',
      url: `${url}/accounts/${identifier}`,
      headers: { ...headers, 'if-match': etagOf(accounts, identifier, revision) },
      body: `{"balance_minor_units":${sent}}`,
    };
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
