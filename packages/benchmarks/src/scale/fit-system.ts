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
  const inSequence = totalCpuSeconds(idle) - totalCpuSeconds({ cpuSeconds: idle.helperCpuSeconds });
  // Where others left less than a core, one request at a time was slower for that.
  const workSeconds = inSequence / Math.min(1, coresLeft(cores, idle));
  const withWakeUps = (wakeUps: (name: string, extra: number) => number): SimulatedSystem => ({
    cores,
    route,
    stations: Object.fromEntries(
      stations.map(({ name, threads }) => {
        const most = ownCpuSeconds(idle, name);
        const least = ownCpuSeconds(saturated, name);
        const wakeUpCpuSeconds = Math.min(most, wakeUps(name, Math.max(0, most - least)));
        const helperCpuSeconds = saturated.helperCpuSeconds[name] ?? 0;
        return [name, { threads, cpuSeconds: most - wakeUpCpuSeconds, wakeUpCpuSeconds, helperCpuSeconds }];
      }),
    ),
    delaySeconds: Math.max(0, responseSeconds - workSeconds),
    backgroundShare: Math.max(0, 1 - responseSeconds / workSeconds),
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
      const wokenUp = (cpuSeconds[name] ?? 0) - station.helperCpuSeconds - station.cpuSeconds;
      const idleVisits = wokenUp / station.wakeUpCpuSeconds;
      return extra / Math.max(leastBusyVisits, 1 - idleVisits);
    });
  }
  return model;
}

/** CPU seconds of a station for a request, without its helper threads. */
function ownCpuSeconds({ cpuSeconds, helperCpuSeconds }: MeasuredLoad, name: string): number {
  return (cpuSeconds[name] ?? 0) - (helperCpuSeconds[name] ?? 0);
}

/** Simulates a measured load, on the cores that others did not use meanwhile. */
export function predictLoad(model: SimulatedSystem, load: MeasuredLoad): SimulatedResult {
  return simulateLoad({ ...model, cores: coresLeft(model.cores, load) }, { clients: load.clients });
}

function coresLeft(cores: number, { othersCores }: MeasuredLoad): number {
  return Math.max(leastCores, cores - othersCores);
}

/** Clocks are not exact, and a load that was carried had some of a core. */
const leastCores = 0.1;

/** Enough for the shares of idle visits to settle. */
const fittingSteps = 5;

/** A station that is nearly always idle tells nothing about its wake-ups. */
const leastBusyVisits = 0.5;
