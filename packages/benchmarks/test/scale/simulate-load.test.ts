import { describe, expect, it } from '@jest/globals';

import { simulateLoad } from '../../src/scale/simulate-load.ts';
import type { SimulatedSystem } from '../../src/scale/simulate-load.ts';

/** One station of so many threads, each with a core of its own. A request takes 10 ms. */
function oneStation(threads: number, cores = threads): SimulatedSystem {
  const server = { threads, cpuSeconds: 0.01, wakeUpCpuSeconds: 0, helperCpuSeconds: 0 };
  return { cores, stations: { server }, route: ['server'], delaySeconds: 0, backgroundShare: 0 };
}

/** Two stations of one thread and 10 ms. */
function twoStations(cores: number): SimulatedSystem {
  const station = { threads: 1, cpuSeconds: 0.01, wakeUpCpuSeconds: 0, helperCpuSeconds: 0 };
  return {
    cores,
    stations: { first: station, second: station },
    route: ['first', 'second'],
    delaySeconds: 0,
    backgroundShare: 0,
  };
}

const long = { responses: 100_000 };

/** Numbers are random. */
const tolerance = 0.05;

function errorOf(actual: number | undefined, expected: number): number {
  return Math.abs((actual ?? Number.NaN) / expected - 1);
}

describe('simulateLoad', () => {
  it.each([0.2, 0.5, 0.7])(
    'responds as M/M/1 does at a utilisation of %d: R = S / (1 - U)',
    (utilisation) => {
      const { requestsPerSecond, meanMs, p99Ms } = simulateLoad(
        oneStation(1),
        { requestsPerSecond: utilisation * 100 },
        long,
      );
      expect(errorOf(requestsPerSecond, utilisation * 100)).toBeLessThan(tolerance);
      expect(errorOf(meanMs, 10 / (1 - utilisation))).toBeLessThan(tolerance);
      expect(errorOf(p99Ms, (10 / (1 - utilisation)) * Math.log(100))).toBeLessThan(tolerance);
    },
  );

  it.each([0.2, 0.5, 0.7])(
    'responds as M/M/2 does at a utilisation of %d: R = S / (1 - U²)',
    (utilisation) => {
      const { meanMs } = simulateLoad(oneStation(2), { requestsPerSecond: utilisation * 200 }, long);
      expect(errorOf(meanMs, 10 / (1 - utilisation ** 2))).toBeLessThan(tolerance);
    },
  );

  it.each([1, 2, 5, 20])(
    'carries what mean value analysis says for two stations and %d clients',
    (clients) => {
      const { requestsPerSecond, meanMs } = simulateLoad(twoStations(2), { clients }, long);
      // X = N / (D (N + K - 1)) of a balanced network (Lazowska et al., Quantitative System Performance, chapter 5).
      const expected = clients / (0.01 * (clients + 1));
      expect(errorOf(requestsPerSecond, expected)).toBeLessThan(tolerance);
      expect(errorOf(meanMs, (clients / expected) * 1000)).toBeLessThan(tolerance);
    },
  );

  it('responds as the machine repair model does when clients are delayed', () => {
    // One thread of 10 ms, two clients that are away for 10 ms each: states 0, 1, 2 with weights 1, 2, 2 for
    // exponential times; a closed network's throughput depends only on the mean of the delay.
    const { requestsPerSecond } = simulateLoad(
      { ...oneStation(1), delaySeconds: 0.01 },
      { clients: 2 },
      long,
    );
    expect(errorOf(requestsPerSecond, 100 * (4 / 5))).toBeLessThan(tolerance);
  });

  it('has stations share cores: two stations on one core carry what one station of both times does', () => {
    const { requestsPerSecond, meanMs } = simulateLoad(twoStations(1), { clients: 8 }, long);
    expect(errorOf(requestsPerSecond, 50)).toBeLessThan(tolerance);
    expect(errorOf(meanMs, 160)).toBeLessThan(tolerance);
  });

  it('has a wake-up cost for each visit of an idle station, and one for all that wait for an event loop', () => {
    const server = { threads: 1, cpuSeconds: 0.01, wakeUpCpuSeconds: 0.01, helperCpuSeconds: 0 };
    const system = { ...oneStation(1), stations: { server } };
    const cpuSecondsWith = (clients: number) => simulateLoad(system, { clients }, long).cpuSeconds['server'];
    expect(errorOf(cpuSecondsWith(1), 0.02)).toBeLessThan(tolerance);
    expect(errorOf(cpuSecondsWith(11), 0.011)).toBeLessThan(tolerance);
  });

  it.each([
    { cores: 2, carries: 100 },
    { cores: 1, carries: 1 / 0.012 },
  ])(
    'has helper threads, which cost no response while there is a core for them: %j',
    ({ cores, carries }) => {
      const server = { threads: 1, cpuSeconds: 0.01, wakeUpCpuSeconds: 0, helperCpuSeconds: 0.002 };
      const system = { ...oneStation(1, cores), stations: { server } };
      const { requestsPerSecond, cpuSeconds } = simulateLoad(system, { clients: 30 }, long);
      expect(errorOf(requestsPerSecond, carries)).toBeLessThan(tolerance);
      expect(errorOf(cpuSeconds['server'], 0.012)).toBeLessThan(tolerance);
    },
  );

  it('has work in the background, which delays no response while there is room', () => {
    const system = { ...oneStation(1), backgroundShare: 0.5, delaySeconds: 0.1 };
    const { meanMs } = simulateLoad(system, { clients: 1 }, long);
    expect(errorOf(meanMs, 105)).toBeLessThan(tolerance);
    const { requestsPerSecond } = simulateLoad(system, { clients: 30 }, long);
    expect(errorOf(requestsPerSecond, 100)).toBeLessThan(tolerance);
  });
});
