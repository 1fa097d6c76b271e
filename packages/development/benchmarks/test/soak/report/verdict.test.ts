import { describe, expect, it } from '@jest/globals';

import type { Totals } from '../../../src/soak/load/tally.ts';
import type { SoakOutcome } from '../../../src/soak/report/verdict.ts';
import { judge } from '../../../src/soak/report/verdict.ts';
import type { Held, Sample } from '../../../src/soak/watch/sampler.ts';

const totals: Totals = {
  right: 100,
  partial: 3,
  rejected: 20,
  lost: 1,
  hungUp: 5,
  triedAgain: 2,
  faults: new Map(),
};

const kinds = ['users killed', 'manifest reloaded'];
const past = (name: string, fault?: string) => ({ name, atSeconds: 10, tookSeconds: 1, fault });

/** A sample of each value that the heap had, in a life of its own process where told. */
function samples(heapMiB: readonly number[], held: Partial<Held> = {}): Sample[] {
  return heapMiB.map((value, index) => ({
    atSeconds: index,
    responsesPerSecond: 50,
    p50Ms: 5,
    p99Ms: 50,
    held: { processStart: 1, heapMiB: value, rssMiB: 300, sockets: 2, openFiles: 40, ...held },
  }));
}

/** Numbers that go evenly from one to the other. */
function slope(from: number, to: number, count = 20): number[] {
  return Array.from({ length: count }, (_, index) => from + ((to - from) * index) / (count - 1));
}

function faultsOf(outcome: Partial<SoakOutcome>): readonly string[] {
  const good = {
    totals,
    samples: samples(slope(100, 100)),
    streams: { events: 20, reconnects: 3, faults: [] },
    events: kinds.map((kind) => past(kind)),
    kinds,
    unexpectedEnds: [],
    listenerWarnings: 0,
  };
  return judge({ ...good, ...outcome })
    .filter(({ isGood }) => !isGood)
    .map(({ text }) => text);
}

describe('The verdict of a soak', () => {
  it('is good when every response was right, everything recovered, and nothing piled up', () => {
    expect(faultsOf({})).toEqual([]);
  });

  it.each<[string, Partial<SoakOutcome>, RegExp]>([
    [
      'a stream has lost an event',
      { streams: { events: 20, reconnects: 3, faults: ['multipart: event 4 of 20 was lost'] } },
      /multipart: event 4/,
    ],
    [
      'no stream was opened again',
      { streams: { events: 20, reconnects: 0, faults: [] } },
      /^20 events to each client that stayed, over 0 reconnections/,
    ],
    ['there were no responses', { totals: { ...totals, right: 0 } }, /^0 responses/],
    [
      'a response was wrong',
      { totals: { ...totals, faults: new Map([['Me: no response: broken', 2]]) } },
      /wrong: 2 × Me: no response: broken$/,
    ],
    [
      'no response was partial, whatever was away',
      { totals: { ...totals, partial: 0 } },
      /^of these 0 partial/,
    ],
    ['nothing was rejected', { totals: { ...totals, rejected: 0 } }, / 0 rejected as they must be/],
    [
      'a subgraph did not come back',
      { events: [past('users killed', 'users is not ready within 60 s'), past('manifest reloaded')] },
      /without recovery: users killed at 10 s: users is not ready within 60 s$/,
    ],
    ['an event was left out', { events: [past('users killed')] }, /; never: manifest reloaded;/],
    [
      'a service ended by itself',
      { unexpectedEnds: ['orders ended with exit code 1'] },
      /by themselves: orders ended with exit code 1$/,
    ],
    [
      'the heap grew',
      { samples: samples(slope(100, 160)) },
      /^heap after a collection: 118\.9 MiB at the median in the first third after the warm-up, 153\.7 MiB in the last$/,
    ],
    ['the run was too short', { samples: samples(slope(100, 100, 5)) }, /^heap .* too short a run to judge$/],
    [
      'sockets stayed open',
      { samples: [...samples(slope(100, 100)), ...samples([100], { sockets: 200 })] },
      /^sockets: 2 before the load, at most 200 under it, 200 after it$/,
    ],
    ['listeners piled up', { listenerWarnings: 1 }, /^1 warnings of listeners/],
  ])('is bad when %s', (_case, outcome, fault) => {
    expect(faultsOf(outcome)).toEqual(expect.arrayContaining([expect.stringMatching(fault)]));
  });

  it('ignores the warm-up, and the process before a restart', () => {
    const before = samples(slope(20, 200, 8), { processStart: 1 });
    const after = samples([...slope(50, 100, 6), ...slope(100, 101, 24)], { processStart: 2 });
    expect(faultsOf({ samples: [...before, ...after] })).toEqual([]);
  });
});
