// `pnpm bench streams`: see the README.
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

import { flagValue, positiveInteger, readArgs, runCommand } from '@meridian/settings/command-line';

import type { Contender } from '../gateway/contenders.ts';
import { contendersIn, startContender } from '../gateway/contenders.ts';
import { markdownTable } from '../harness/markdown-table.ts';
import { median } from '../harness/numbers.ts';
import { cpuSeconds, residentMebibytes } from '../harness/process-cost.ts';
import { untilListening } from '../harness/started-program.ts';
import { startFeed } from './feed.ts';
import type { Feed } from './feed.ts';
import { compareFirstPart } from './first-part.ts';
import { openSubscribers } from './subscribers.ts';

const help = `Usage: pnpm bench streams [flags]

Measures what subscriptions cost this gateway: many clients of one stream of a
subgraph, over server-sent events on both sides. And the time to the first part
of a query with @defer, as a share of the time of the query without the fields.

  --subscribers <n>  clients (1000)
  --streams <n>      of the subgraph that the clients share (1)
  --events <n>       that each client gets (100)
  --only <part>      of the names of contenders
  --help             print this

HIVE_ROUTER names the binary of Hive Router, to measure it too.
`;

const directory = join(import.meta.dirname, '../../../../../.data/bench');
/** Between two events, so that each has reached every client. */
const pauseMs = 50;
const settleMs = 1000;

const measured: ReadonlySet<string> = new Set([
  'our gateway, as shipped',
  'Hive Router, as shipped',
  'Hive Gateway + router-runtime',
]);

await runCommand({
  name: 'pnpm bench streams',
  help,
  read: readOptions,
  run: benchmark,
});

type Options = ReturnType<typeof readOptions>;

function readOptions(args: readonly string[]) {
  const { flags } = readArgs(args, {
    subscribers: { type: 'string', default: '1000' },
    events: { type: 'string', default: '100' },
    streams: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  });
  return {
    subscribers: flagValue('--subscribers', flags.subscribers, positiveInteger),
    events: flagValue('--events', flags.events, positiveInteger),
    streams: flagValue('--streams', flags.streams, positiveInteger),
    /** Of the names of contenders. */
    only: flags.only,
  };
}

async function benchmark(options: Options): Promise<void> {
  await mkdir(directory, { recursive: true });
  const feed = await startFeed();
  const supergraphPath = join(directory, 'streams.graphql');
  await writeFile(supergraphPath, feed.supergraphSdl);
  const rows: (readonly string[])[] = [];
  for (const contender of contendersIn(directory, process.env['HIVE_ROUTER'])) {
    if (measured.has(contender.name) && contender.name.includes(options.only)) {
      const figures = await measure(contender, supergraphPath, feed, options).catch((error: unknown) => {
        process.stderr.write(`${contender.name}: ${String(error)}\n`);
        return [];
      });
      rows.push([contender.name, ...figures]);
    }
  }
  await feed.close();
  const head = [
    '',
    'KiB for each subscription',
    'µs of CPU for each delivery',
    'ms to the last client, median',
    'first part ÷ without the fields',
  ];
  process.stdout.write(
    `${options.subscribers} subscribers of ${options.streams} streams, ${options.events} events; ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}\n\n${markdownTable(head, rows)}`,
  );
}

/** Starts one, and measures it with all subscribers. */
async function measure(
  contender: Contender,
  supergraphPath: string,
  feed: Feed,
  { subscribers, events, streams }: Options,
): Promise<readonly string[]> {
  const { program, url } = await startContender(withSubscriptions(contender), {
    SUPERGRAPH_PATH: supergraphPath,
    SUBSCRIPTIONS_ENABLED: 'true',
  });
  try {
    await untilListening(program, url);
    const idleMebibytes = residentMebibytes(program.pid);
    const clients = await openSubscribers(url, subscribers, streams);
    await delay(settleMs);
    const mebibytes = residentMebibytes(program.pid) - idleMebibytes;
    const beforeSeconds = cpuSeconds(program.pid);
    const latenciesMs: number[] = [];
    for (let event = 1; event <= events; event += 1) {
      const startedMs = performance.now();
      const received = clients.received(event);
      feed.publish(event);
      await received;
      latenciesMs.push(performance.now() - startedMs);
      await delay(pauseMs);
    }
    const seconds = cpuSeconds(program.pid) - beforeSeconds;
    clients.close();
    return [
      ((mebibytes * 1024) / subscribers).toFixed(1),
      ((seconds * 1e6) / (subscribers * events)).toFixed(1),
      median(latenciesMs).toFixed(0),
      await compareFirstPart(url),
    ];
  } finally {
    await program.stop();
  }
}

/** Lets it open streams: ours needs the protocol of the subgraph, and Hive Router takes few long-lived clients by default. */
function withSubscriptions(contender: Contender): Contender {
  return {
    ...contender,
    async prepare(place) {
      const program = await contender.prepare(place);
      const { ROUTER_CONFIG_PATH: ours, ROUTER_CONFIG_FILE_PATH: hiveRouters } = program.env;
      if (ours !== undefined) {
        await writeFile(
          ours,
          'supergraph: { path: /graphql }\nmeridian: { subscription: { http: { all: { protocol: sse } } } }\n',
        );
      }
      if (hiveRouters !== undefined) {
        await appendFile(hiveRouters, '\ntraffic_shaping: { router: { max_long_lived_clients: 100000 } }\n');
      }
      return program;
    },
  };
}
