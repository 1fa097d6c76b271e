// `pnpm bench subgraph`: see the README.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';

import { createDevelopmentIdentity } from '@meridian/auth/development';
import { UsageError, flagValue, positiveInteger, readArgs, runCommand } from '@meridian/command-line';

import type { HttpContenderOptions } from '../harness/http-contender.ts';
import { httpContender } from '../harness/http-contender.ts';
import { measureInSlices } from '../harness/measure-in-slices.ts';
import { printSlices } from '../harness/print-slices.ts';
import type { StartedProgram } from '../harness/started-program.ts';
import { lineWith, startProgram } from '../harness/started-program.ts';
import { openStore } from './open-store.ts';

const help = `Usage: pnpm bench subgraph [flags]

Measures what an entity lookup costs the subgraph kit, a default Apollo Server and a
bare handler.

  --turns <n>         slices of each contender (60)
  --requests <n>      in a slice (200)
  --connections <n>   that send at the same time (8)
  --entities <n>      that a request asks for (50)
  --profile <name>    writes a CPU profile of bare, default or kit
  --help              print this`;

const tenantId = 'acme';

/** As the gateway asks. */
const query =
  'query Names__products__1($representations:[_Any!]!){_entities(representations:$representations){...on Product{id name priceMinorUnits}}}';

const contenders = [
  { name: 'bare', script: 'bare-server.ts' },
  { name: 'default', script: 'default-server.ts' },
  { name: 'kit', script: 'kit-server.ts' },
];

await runCommand({ name: 'pnpm bench subgraph', help, read: readFlags, run: benchmark });

function readFlags(args: readonly string[]) {
  const { flags } = readArgs(args, {
    turns: { type: 'string', default: '60' },
    requests: { type: 'string', default: '200' },
    connections: { type: 'string', default: '8' },
    entities: { type: 'string', default: '50' },
    profile: { type: 'string' },
  });
  const { profile } = flags;
  const names = contenders.map(({ name }) => name);
  if (profile !== undefined && !names.includes(profile)) {
    throw new UsageError(`--profile is ${JSON.stringify(profile)}; it takes ${names.join(', ')}`);
  }
  return {
    turns: flagValue('--turns', flags.turns, positiveInteger),
    requests: flagValue('--requests', flags.requests, positiveInteger),
    connections: flagValue('--connections', flags.connections, positiveInteger),
    entities: flagValue('--entities', flags.entities, positiveInteger),
    profile,
  };
}

async function benchmark(flags: ReturnType<typeof readFlags>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-subgraph-bench-'));
  const store = await openStore(directory);
  const programs: StartedProgram[] = [];
  try {
    const identity = await createDevelopmentIdentity(join(directory, 'identity'));
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: `Bearer ${await identity.signToken({ tenant: tenantId })}`,
      'tenant-id': tenantId,
    };
    const bodies = bodiesFor(await store.productIds(tenantId), flags.entities);
    const measured: HttpContenderOptions[] = [];
    for (const { name, script } of contenders) {
      const program = startProgram({
        script: join(import.meta.dirname, script),
        env: { DATABASE_URL: store.url, JWKS_URL: identity.jwksUrl.href, JWT_ISSUER: identity.issuer },
        nodeFlags:
          flags.profile === name ? ['--cpu-prof', '--cpu-prof-dir', `.data/bench/profiles-${name}`] : [],
      });
      programs.push(program);
      const url = `http://127.0.0.1:${portIn(await lineWith('"address"', program))}/graphql`;
      const requestOf = (n: number) => ({
        method: 'POST' as const,
        url,
        headers,
        body: bodies[n % bodies.length] ?? '',
      });
      measured.push({ name, pids: [program.pid], requestOf });
    }
    await requireSameResponses(measured);
    const served = measured.map((contender) => httpContender(contender, flags));
    const slices = await measureInSlices(served, {
      turns: flags.turns,
      note: (line) => process.stderr.write(`${line}\n`),
    });
    process.stdout.write(
      `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${flags.entities} entities, ${flags.connections} connections, ${flags.turns} slices of ${flags.requests} requests\n\n`,
    );
    process.stdout.write(printSlices(slices, { comparedWith: ['bare', 'default'] }));
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
    await store.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Different requests, so that no contender can cache responses. */
function bodiesFor(productIds: readonly string[], entities: number): string[] {
  return productIds.map((_, start) => {
    const ids = Array.from(
      { length: entities },
      (_item, index) => productIds[(start + index * 3) % productIds.length],
    );
    const representations = ids.map((id) => ({ __typename: 'Product', id }));
    return JSON.stringify({ query, variables: { representations }, operationName: 'Names__products__1' });
  });
}

function portIn(line: string): number {
  const { address }: { address: { port: number } } = JSON.parse(line);
  return address.port;
}

/** A contender with other responses is not worth measuring. */
async function requireSameResponses(measured: readonly HttpContenderOptions[]): Promise<void> {
  const responses = await Promise.all(
    measured.map(async ({ requestOf }) => {
      const { url, ...request } = requestOf(0);
      return (await fetch(url, request)).json();
    }),
  );
  for (const [index, response] of responses.entries()) {
    if (!isDeepStrictEqual(response, responses[0])) {
      throw new Error(`${measured[index]?.name} answers ${JSON.stringify(response).slice(0, 200)}`);
    }
  }
}
