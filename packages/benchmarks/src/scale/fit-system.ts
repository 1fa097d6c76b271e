import { totalCpuSeconds } from './measure-loads.ts';
import type { MeasuredLoad } from './measure-loads.ts';
import { simulateLoad } from './simulate-load.ts';
import type { SimulatedResult, SimulatedSystem } from './simulate-load.ts';
import type { System } from './start-systems.ts';

/**
 * Fits the model to the CPU seconds for a request with the fewest and with the most clients, and to the response time
 * with the fewest. Throughput, and response times under load, are for the model to predict.
 */
export function fitSystem(
  { stations, route }: Pick<System, 'stations' | 'route'>,
  loads: readonly MeasuredLoad[],
  cores: number,
): SimulatedSystem {
  const [idle, saturated] = [loads[0], loads.at(-1)];
  if (idle === undefined || saturated === undefined) {
    throw new Error('There is no load');
  }
  const responseSeconds = idle.meanMs / 1000;
  const total = totalCpuSeconds(idle);
  const withWakeUps = (wakeUps: (name: string, extra: number) => number): SimulatedSystem => ({
    cores,
    route,
    stations: Object.fromEntries(
      stations.map(({ name, threads }) => {
        const most = idle.cpuSeconds[name] ?? 0;
        const least = saturated.cpuSeconds[name] ?? 0;
        const wakeUpCpuSeconds = Math.min(most, wakeUps(name, Math.max(0, most - least)));
        return [name, { threads, cpuSeconds: most - wakeUpCpuSeconds, wakeUpCpuSeconds }];
      }),
    ),
    delaySeconds: Math.max(0, responseSeconds - total),
    backgroundShare: Math.max(0, 1 - responseSeconds / total),
  });
  let model = withWakeUps((_name, extra) => extra);
  for (let step = 0; step < fittingSteps; step += 1) {
    // Some visits find a station idle with the most clients too; the measured time has their wake-ups.
    const { stations: fitted } = model;
    const { cpuSeconds } = predictLoad(model, saturated);
    model = withWakeUps((name, extra) => {
      const station = fitted[name];
      if (station === undefined || station.wakeUpCpuSeconds === 0) {
        return 0;
      }
      const idleVisits = ((cpuSeconds[name] ?? 0) - station.cpuSeconds) / station.wakeUpCpuSeconds;
      return extra / Math.max(leastBusyVisits, 1 - idleVisits);
    });
  }
  return model;
}

/** Simulates a measured load. The cores that others used meanwhile are taken off, but for one. */
export function predictLoad(model: SimulatedSystem, load: MeasuredLoad): SimulatedResult {
  const { clients, othersCores } = load;
  return simulateLoad({ ...model, cores: Math.max(1, model.cores - othersCores) }, { clients });
}

/** Enough for the shares of idle visits to settle. */
const fittingSteps = 5;

/** A station that is nearly always idle tells nothing about its wake-ups. */
const leastBusyVisits = 0.5;
