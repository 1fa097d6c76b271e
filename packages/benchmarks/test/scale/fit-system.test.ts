import { describe, expect, it } from '@jest/globals';

import { fitSystem, predictLoad } from '../../src/scale/fit-system.ts';
import { simulateLoad } from '../../src/scale/simulate-load.ts';
import type { SimulatedSystem } from '../../src/scale/simulate-load.ts';

describe('fitSystem', () => {
  it.each([
    { delaySeconds: 0.0005, backgroundShare: 0, othersCores: 0 },
    { delaySeconds: 0, backgroundShare: 0.2, othersCores: 0 },
    { delaySeconds: 0.0005, backgroundShare: 0, othersCores: 1.4 },
  ])('finds a model that carries what a known system does: %j', ({ othersCores, ...waits }) => {
    const known: SimulatedSystem = {
      cores: 2,
      stations: {
        client: { threads: 1, cpuSeconds: 0.0001, wakeUpCpuSeconds: 0.000_05, helperCpuSeconds: 0 },
        server: { threads: 1, cpuSeconds: 0.0004, wakeUpCpuSeconds: 0.0002, helperCpuSeconds: 0.0001 },
        store: { threads: 10, cpuSeconds: 0.0003, wakeUpCpuSeconds: 0, helperCpuSeconds: 0 },
      },
      route: ['client', 'server', 'store', 'server', 'client'],
      ...waits,
    };
    const loads = [1, 4, 32].map((clients) =>
      Object.assign(simulateLoad({ ...known, cores: known.cores - othersCores }, { clients }), {
        clients,
        othersCores,
        helperCpuSeconds: { client: 0, server: 0.0001, store: 0 },
      }),
    );
    const stations = Object.entries(known.stations).map(([name, { threads }]) => ({
      name,
      threads,
      cpuSeconds: () => 0,
      helperCpuSeconds: () => 0,
    }));
    const model = fitSystem({ stations, route: known.route }, loads, known.cores);
    for (const load of loads) {
      const predicted = predictLoad(model, load);
      expect(Math.abs(predicted.requestsPerSecond / load.requestsPerSecond - 1)).toBeLessThan(0.1);
    }
  });
});
