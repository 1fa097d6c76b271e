import { readFileSync } from 'node:fs';

import { openClients } from '../harness/clients.ts';
import type { LoadResult } from '../harness/clients.ts';
import { percentile } from '../harness/numbers.ts';
import { shuffled } from '../harness/shuffled.ts';
import type { System } from './start-systems.ts';

/** A load, as it was carried. */
export interface MeasuredLoad {
  /** Each sends its next request when it has the response. */
  readonly clients: number;
  readonly requestsPerSecond: number;
  readonly meanMs: number;
  readonly p99Ms: number;
  /** CPU seconds of each station for a request. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
  /** The part of them that its helper threads used. */
  readonly helperCpuSeconds: Readonly<Record<string, number>>;
  /** The cores that everything else on the machine used meanwhile, and that the hypervisor gave to others. */
  readonly othersCores: number;
}

interface MeasureOptions {
  readonly clientCounts: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
}

/** Long enough for the hot code of all processes to be compiled. */
const warmUpSeconds = 5;
const warmUpClients = 8;

/**
 * Measures a system with each number of clients, in another order in each round. Of each, the round in which everything
 * else on the machine used the least counts.
 */
export async function measureLoads(
  { requestOf, stations }: System,
  { clientCounts, rounds, seconds }: MeasureOptions,
): Promise<MeasuredLoad[]> {
  const loads: MeasuredLoad[] = [];
  const load = async (count: number, duration: number): Promise<MeasuredLoad> => {
    const clients = openClients(count);
    // Connections are opened, and their first requests sent, before the measurement.
    await clients.load({ requestOf, seconds: connectSeconds });
    // This process, the first station, is read last and then first: reading the others is work of its own.
    const before = usageOf(stations.toReversed());
    const result = await clients.load({ requestOf, seconds: duration });
    const after = usageOf(stations);
    await clients.close();
    return summaryOf(count, result, before, after);
  };
  await load(warmUpClients, warmUpSeconds);
  for (let round = 0; round < rounds; round += 1) {
    for (const count of shuffled(clientCounts)) {
      loads.push(await load(count, seconds));
    }
  }
  return clientCounts.map((count) => {
    const [quietest] = loads
      .filter(({ clients }) => clients === count)
      .toSorted((one, other) => one.othersCores - other.othersCores);
    if (quietest === undefined) {
      throw new Error('There is no round');
    }
    return quietest;
  });
}

const connectSeconds = 0.1;

/** CPU seconds of all stations for a request. */
export function totalCpuSeconds({ cpuSeconds }: Pick<MeasuredLoad, 'cpuSeconds'>): number {
  return Object.values(cpuSeconds).reduce((sum, seconds) => sum + seconds, 0);
}

interface Usage {
  readonly atMs: number;
  readonly machine: number;
  readonly stations: Readonly<Record<string, number>>;
  readonly helpers: Readonly<Record<string, number>>;
}

function usageOf(stations: System['stations']): Usage {
  const helpers = Object.fromEntries(stations.map((station) => [station.name, station.helperCpuSeconds()]));
  const used = Object.fromEntries(stations.map((station) => [station.name, station.cpuSeconds()]));
  return { atMs: performance.now(), machine: machineCpuSeconds(), stations: used, helpers };
}

function summaryOf(clients: number, load: LoadResult, before: Usage, after: Usage): MeasuredLoad {
  const sorted = load.latenciesMs.toSorted((one, other) => one - other);
  const perRequest = (key: 'stations' | 'helpers') =>
    Object.fromEntries(
      Object.entries(after[key]).map(([name, seconds]) => [
        name,
        (seconds - (before[key][name] ?? 0)) / load.requests,
      ]),
    );
  const cpuSeconds = perRequest('stations');
  const own = totalCpuSeconds({ cpuSeconds }) * load.requests;
  return {
    clients,
    requestsPerSecond: load.requests / load.seconds,
    meanMs: sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length,
    p99Ms: percentile(sorted, 0.99),
    cpuSeconds,
    helperCpuSeconds: perRequest('helpers'),
    othersCores: Math.max(0, ((after.machine - before.machine - own) * 1000) / (after.atMs - before.atMs)),
  };
}

/** Clock ticks a second in /proc, on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** The CPU seconds that the machine was not idle for, or not its own: all fields but idle and iowait (proc(5)). */
function machineCpuSeconds(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const fields = line.split(/\s+/u).slice(1, 9).map(Number);
  return fields.reduce((sum, ticks, at) => (at === 3 || at === 4 ? sum : sum + ticks), 0) / ticksPerSecond;
}
