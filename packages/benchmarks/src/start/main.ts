// `pnpm bench start`: see the README.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { flagValue, positiveInteger, readArgs, runCommand } from '@meridian/command-line';
import { loadSupergraph } from '@meridian/executor';

import { markdownTable } from '../harness/markdown-table.ts';
import { formatNumber, percentile } from '../harness/numbers.ts';
import { generateOperations } from './generate-operations.ts';
import type { Start } from './measure-start.ts';
import { measureStart } from './measure-start.ts';

const help = `Usage: pnpm bench start [flags]

Measures what a start of the gateway costs that plans the operations of a manifest:
without a store of plans, with one that is empty, and with one that has them all.

  --rounds <n>       of each, in turn (3)
  --operations <n>   of the manifest (2000)
  --redis <url>      an empty Redis; without it, only the store on disk is measured
  --help             print this`;

const repository = join(import.meta.dirname, '../../../..');
/** The gateway by its command, whose modules are cached from the second start on. */
const script = join(repository, 'tools/commands/gateway.ts');
const supergraphPath = join(repository, 'supergraph.graphql');

/** A kind of start. `keys` of router.yaml name its store: the same for an empty and for a full one. */
interface Contender {
  readonly name: string;
  readonly keys: (round: number) => string;
}

await runCommand({ name: 'pnpm bench start', help, read: readFlags, run: benchmark });

function readFlags(args: readonly string[]) {
  const { flags } = readArgs(args, {
    rounds: { type: 'string', default: '3' },
    operations: { type: 'string', default: '2000' },
    redis: { type: 'string' },
  });
  return {
    rounds: flagValue('--rounds', flags.rounds, positiveInteger),
    operations: flagValue('--operations', flags.operations, positiveInteger),
    redis: flags.redis,
  };
}

async function benchmark({ rounds, operations, redis }: ReturnType<typeof readFlags>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-start-bench-'));
  try {
    const manifestPath = join(directory, 'persisted-queries.json');
    const { apiSchema } = loadSupergraph(await readFile(supergraphPath, 'utf8'));
    await writeFile(manifestPath, generateOperations(apiSchema, operations));
    const measured = new Map<string, Start[]>();
    for (let round = 1; round <= rounds; round += 1) {
      for (const { name, keys } of contendersWith(directory, redis)) {
        process.stderr.write(`round ${round} of ${rounds}: ${name}\n`);
        const config = join(directory, 'router.yaml');
        await writeFile(config, configOf(manifestPath, keys(round)));
        const env = {
          ROUTER_CONFIG_PATH: config,
          SUPERGRAPH_PATH: supergraphPath,
          PORT: '0',
          ADMIN_PORT: '0',
        };
        const start = await measureStart({ script, env }, operations);
        measured.set(name, [...(measured.get(name) ?? []), start]);
      }
    }
    process.stdout.write(
      `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}: ${operations} operations\n\n${tableOf(measured)}`,
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function contendersWith(directory: string, redis: string | undefined): readonly Contender[] {
  const onDisk = (round: number): string =>
    `meridian: { plan_cache: { path: ${JSON.stringify(join(directory, `plans-${round}`))} } }`;
  const inRedis = (round: number): string =>
    `supergraph: { query_planning: { cache: { redis: { urls: [${JSON.stringify(redis)}], namespace: bench-${process.pid}-${round}, ttl: 1h } } } }`;
  return [
    { name: 'no store', keys: () => '' },
    { name: 'an empty directory', keys: onDisk },
    { name: 'a full directory', keys: onDisk },
    ...(redis === undefined
      ? []
      : [
          { name: 'an empty Redis', keys: inRedis },
          { name: 'a full Redis', keys: inRedis },
        ]),
  ];
}

function configOf(manifestPath: string, keys: string): string {
  return `
persisted_queries:
  enabled: true
  safelist: { enabled: true }
  local_manifests: [${JSON.stringify(manifestPath)}]
  experimental_prewarm_query_plan_cache: { on_startup: true }
${keys}
`;
}

/** The median of each number, over the rounds. */
function tableOf(measured: ReadonlyMap<string, readonly Start[]>): string {
  return markdownTable(
    ['plans are in', 'ready: CPU s', 'wall s', 'MiB', 'all planned: CPU s', 'wall s', 'MiB'],
    [...measured].map(([name, starts]) => [
      name,
      median(starts, ({ ready }) => ready.cpuSeconds),
      median(starts, ({ ready }) => ready.wallSeconds),
      median(starts, ({ ready }) => ready.mebibytes),
      median(starts, ({ planned }) => planned.cpuSeconds),
      median(starts, ({ planned }) => planned.wallSeconds),
      median(starts, ({ planned }) => planned.mebibytes),
    ]),
  );
}

function median(starts: readonly Start[], of: (start: Start) => number): string {
  const sorted = starts.map(of).toSorted((one, other) => one - other);
  return formatNumber(percentile(sorted, 0.5));
}
