import { describe, expect, it } from '@jest/globals';

import type { Tally } from '../../src/soak/drive-clients.ts';
import type { Sample } from '../../src/soak/gateway-watch.ts';
import type { SoakOutcome } from '../../src/soak/verdict.ts';
import { judge } from '../../src/soak/verdict.ts';

const tally: Tally = { answered: 100, duringOutages: 3, hungUp: 5, faults: new Map() };

/** Samples of which each value goes from the first number to the last. */
function samples(heapMiB: readonly [number, number], sockets: readonly [number, number] = [2, 10]): Sample[] {
  const between = ([from, to]: readonly [number, number], part: number): number => from + (to - from) * part;
  return Array.from({ length: 10 }, (_item, index) => ({
    atSeconds: index,
    heapMiB: between(heapMiB, index / 9),
    rssMiB: 300,
    sockets: between(sockets, index / 9),
    openFiles: 40,
  }));
}

function faultsOf(outcome: Partial<SoakOutcome>): readonly string[] {
  const good = {
    tally,
    samples: samples([100, 100]),
    killed: 2,
    recoveries: 2,
    away: [],
    listenerWarnings: 0,
  };
  return judge({ ...good, ...outcome })
    .filter(({ isGood }) => !isGood)
    .map(({ text }) => text);
}

describe('the verdict of a soak', () => {
  it('is good when every answer was right, every subgraph came back, and nothing piled up', () => {
    expect(faultsOf({})).toEqual([]);
  });

  it.each<[string, Partial<SoakOutcome>, RegExp]>([
    ['there were no answers', { tally: { ...tally, answered: 0 } }, /^0 answers/],
    [
      'an answer was wrong',
      { tally: { ...tally, faults: new Map([['a product: no product', 2]]) } },
      /wrong: 2 × a product: no product$/,
    ],
    [
      'a subgraph did not come back',
      { recoveries: 1, away: ['users'] },
      /^2 subgraphs killed, 1 came back; still away: users$/,
    ],
    [
      'the heap grew',
      { samples: samples([100, 300]) },
      /^heap: 167 MiB at the lowest in the middle third, 233 MiB in the last$/,
    ],
    [
      'sockets stayed open',
      { samples: samples([100, 100], [2, 200]) },
      /^sockets: 2 before the load, at most 200 under it, 200 after it$/,
    ],
    ['listeners piled up', { listenerWarnings: 1 }, /^1 warnings of listeners/],
  ])('is bad when %s', (_case, outcome, fault) => {
    expect(faultsOf(outcome)).toEqual([expect.stringMatching(fault)]);
  });
});
