// What each attack costs the gateway, in CPU time, beside a large operation that is legal: `pnpm attacks`. Every request has
// a text of its own, so that nothing is found compiled; the figures are of the gateway's process alone.
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { readWords, runCommand } from '@meridian/command-line';
import type { ServiceProcess } from '@meridian/testing';
import { startServiceProcess } from '@meridian/testing';

import { startTestGateway } from '../support/test-gateway.ts';
import type { RsaIssuer } from './attacked-gateway.ts';
import { createRsaIssuer } from './attacked-gateway.ts';
import type { Attack } from './operation-attacks.ts';
import { operationAttacks } from './operation-attacks.ts';

interface Row {
  readonly name: string;
  readonly answer: string;
  readonly cpuMs: number;
}

const requestsEach = 20;
/** So much of everything runs before the first measurement, so that all of it is compiled. */
const warmUp = 5;

let sent = 0;

/** Within every limit: 20 lists of 6 products, whose reviews have products with reviews, over both subgraphs. */
const largeLegal = `query Large {
  ${Array.from({ length: 20 }, (_, index) => `a${index}: topProducts(first: 6) { ...Shown reviews(first: 2) { ...Read } }`).join('\n')}
}
fragment Shown on Product { id name price }
fragment Read on Review { id body product { ...Shown reviews(first: 2) { id body product { ...Shown } } } }`;

const help = `Usage: pnpm attacks

Measures what refused requests cost the gateway in CPU time, beside a large operation
that is legal: docs/attacks.md. Takes a minute.

  --help  print this

Exit code: 0 when it has measured, 2 for a wrong call.`;

await runCommand({ name: 'pnpm attacks', help, read: (words) => readWords(words, {}), run: report });

async function report(): Promise<void> {
  const issuer = await createRsaIssuer();
  const shop = await startTestGateway();
  const gateway = await startServiceProcess(new URL('../../src/main.ts', import.meta.url), {
    SUPERGRAPH_PATH: shop.supergraphPath,
    ROUTER_CONFIG_PATH: fileURLToPath(new URL('attacked.router.yaml', import.meta.url)),
    MANIFEST_PATH: shop.manifestPath,
    JWKS_URL: issuer.jwksUrl,
    JWT_ISSUER: issuer.issuer,
  });
  try {
    const target = { issuer, gateway };
    const legal = await measure({ name: 'a large legal operation', request: { query: largeLegal } }, target);
    const rows: Row[] = [];
    for (const attack of operationAttacks) {
      rows.push(await measure(attack, target));
    }
    print(legal, rows);
  } finally {
    await gateway.stop();
    await shop.close();
    await issuer.close();
  }
}

/** Who is attacked, and who signs the tokens that it takes. */
interface Target {
  readonly issuer: RsaIssuer;
  readonly gateway: ServiceProcess;
}

async function measure(
  attack: Pick<Attack, 'name' | 'method' | 'request' | 'headers'>,
  { issuer, gateway }: Target,
): Promise<Row> {
  let answer = '';
  for (let index = 0; index < warmUp; index += 1) {
    answer = await send(attack, issuer, gateway);
  }
  const before = await cpuSeconds(gateway);
  for (let index = 0; index < requestsEach; index += 1) {
    await send(attack, issuer, gateway);
  }
  const cpuMs = ((await cpuSeconds(gateway)) - before) * (1000 / requestsEach);
  return { name: attack.name, answer, cpuMs };
}

/** Sends it with a text that was never sent, and returns the code of the answer, or `data`. */
async function send(
  {
    method = 'POST' as const,
    request,
    headers = {},
  }: Pick<Attack, 'request' | 'headers'> & { method?: string },
  signer: RsaIssuer,
  { url }: ServiceProcess,
): Promise<string> {
  sent += 1;
  const members = typeof request === 'object' ? unseen(request) : request;
  const target = new URL('/graphql', url);
  if (method === 'GET' && typeof members === 'object') {
    for (const [name, value] of Object.entries(members)) {
      target.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    }
  }
  const response = await fetch(target, {
    method,
    headers: {
      ...(method === 'POST' && { 'Content-Type': 'application/json' }),
      'apollo-require-preflight': 'true',
      authorization: `Bearer ${signer.sign()}`,
      ...headers,
    },
    ...(method === 'POST' && { body: typeof members === 'object' ? JSON.stringify(members) : members }),
  });
  const text = await response.text();
  return /"code":"(\w+)"/.exec(text.slice(0, 5000) + text.slice(-5000))?.[1] ?? 'data';
}

/** A comment makes a text another one and changes nothing. */
function unseen(request: object): object {
  return 'query' in request && typeof request.query === 'string'
    ? { ...request, query: `#${sent}\n${request.query}` }
    : request;
}

async function cpuSeconds({ adminUrl }: ServiceProcess): Promise<number> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(/^process_cpu_seconds_total\S* (\S+)/m.exec(metrics)?.[1]);
}

function print(legal: Row, rows: readonly Row[]): void {
  const line = ({ name, answer, cpuMs }: Row): string =>
    [
      cpuMs.toFixed(1).padStart(9),
      `${(cpuMs / legal.cpuMs).toFixed(2)} ×`.padStart(9),
      answer.padEnd(34),
      name,
    ].join('  ');
  const dearest = rows.toSorted((one, other) => other.cpuMs - one.cpuMs);
  process.stdout.write(
    [
      `CPU of the gateway for one request, mean of ${requestsEach}, each with a text of its own`,
      '',
      '       ms  of legal  answer                              request',
      line(legal),
      ...dearest.map(line),
      '',
      `${rows.filter(({ cpuMs }) => cpuMs > legal.cpuMs).length} of ${rows.length} attacks cost more than the large legal operation.`,
      '',
    ].join('\n'),
  );
}
