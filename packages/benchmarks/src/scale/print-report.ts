import { markdownTable } from '../harness/markdown-table.ts';
import { formatNumber } from '../harness/numbers.ts';
import { predictLoad } from './fit-system.ts';
import type { MeasuredLoad } from './measure-loads.ts';
import { simulateLoad } from './simulate-load.ts';
import type { SimulatedSystem } from './simulate-load.ts';

/** A system as measured, with the model that was fitted to it. */
export interface ScaleReport {
  readonly name: string;
  readonly loads: readonly MeasuredLoad[];
  readonly model: SimulatedSystem;
}

/** Each measured load of a system beside the prediction of its model, as Markdown. */
export function printLoads({ name, loads, model }: ScaleReport): string {
  const stations = Object.keys(model.stations);
  const head = [
    'clients',
    ...['requests / s', 'mean ms', 'p99 ms'].flatMap((measure) => [measure, 'model', 'error']),
    ...stations.map((station) => `${station} µs`),
    'others, cores',
  ];
  const rows = loads.map((load) => {
    const predicted = predictLoad(model, load);
    return [
      String(load.clients),
      ...besidePrediction(load.requestsPerSecond, predicted.requestsPerSecond),
      ...besidePrediction(load.meanMs, predicted.meanMs),
      ...besidePrediction(load.p99Ms, predicted.p99Ms),
      ...stations.map((station) => formatNumber((load.cpuSeconds[station] ?? 0) * 1e6)),
      load.othersCores.toFixed(2),
    ];
  });
  return `### ${name}\n\n${markdownTable(head, rows)}`;
}

/** The part of the time for which a core is to be busy at the peak. */
const plannedUtilisation = 0.6;

/**
 * Prints the requests a second that one core of each station carries, with the most clients; the response time of the
 * model where the busiest process is busy for 60 % of the time and nothing shares its core; and the errors of the
 * model.
 */
export function printCapacities(reports: readonly ScaleReport[]): string {
  const head = [
    'system',
    'one core carries, requests / s',
    'at 60 %: mean ms',
    'p99 ms',
    'error of requests / s',
  ];
  const rows = reports.map(({ name, loads, model }) => {
    const { client: _client, ...stations } = model.stations;
    const route = model.route.filter((station) => station !== 'client');
    const busy = loads.at(-1)?.cpuSeconds ?? {};
    const perCore = Object.keys(stations).map(
      (station) => `${station} ${formatNumber(1 / (busy[station] ?? Number.NaN))}`,
    );
    const busiest = Math.max(
      ...Object.entries(stations).map(
        ([station, { threads, helperCpuSeconds }]) => ((busy[station] ?? 0) - helperCpuSeconds) / threads,
      ),
    );
    const planned = simulateLoad(
      { ...model, stations, route, cores: Infinity },
      { requestsPerSecond: plannedUtilisation / busiest },
    );
    const errors = loads
      .map((load) => Math.abs(errorOf(load.requestsPerSecond, predictLoad(model, load).requestsPerSecond)))
      .toSorted((one, other) => one - other);
    return [
      name,
      perCore.join(', '),
      formatNumber(planned.meanMs),
      formatNumber(planned.p99Ms),
      `median ${percentage(median(errors))}, greatest ${percentage(Math.max(...errors))}`,
    ];
  });
  return markdownTable(head, rows);
}

function besidePrediction(measured: number, predicted: number): string[] {
  return [formatNumber(measured), formatNumber(predicted), percentage(errorOf(measured, predicted))];
}

function errorOf(measured: number, predicted: number): number {
  return predicted / measured - 1;
}

function percentage(part: number): string {
  return `${(part * 100).toFixed(0)} %`;
}

function median(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
