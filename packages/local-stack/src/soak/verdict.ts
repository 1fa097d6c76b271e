import type { Tally } from './drive-clients.ts';
import type { Sample } from './gateway-watch.ts';

export interface SoakOutcome {
  readonly tally: Tally;
  /** In order; the last one is of after the load. */
  readonly samples: readonly Sample[];
  readonly killed: number;
  readonly recoveries: number;
  /** The services that did not come back. */
  readonly away: readonly string[];
  readonly listenerWarnings: number;
}

/** One thing that was watched, and whether it was as it should be. */
export interface Finding {
  readonly isGood: boolean;
  readonly text: string;
}

/** Judges a run: every answer right, every subgraph back, and a gateway that holds no more at the end than in the middle. */
export function judge({
  tally,
  samples,
  killed,
  recoveries,
  away,
  listenerWarnings,
}: SoakOutcome): readonly Finding[] {
  const wrong = [...tally.faults].map(([fault, count]) => `${count} × ${fault}`);
  return [
    {
      isGood: tally.answered > 0 && wrong.length === 0,
      text: `${tally.answered} answers, ${tally.duringOutages} of them with errors while a subgraph was away, ${tally.hungUp} clients hung up; wrong: ${wrong.join('; ') || 'none'}`,
    },
    {
      isGood: away.length === 0 && recoveries >= killed,
      text: `${killed} subgraphs killed, ${recoveries} came back${away.length > 0 ? `; still away: ${away.join(', ')}` : ''}`,
    },
    growth('heap', samples, ({ heapMiB }) => heapMiB, 16),
    growth('resident memory', samples, ({ rssMiB }) => rssMiB, 64),
    settled('sockets', samples, ({ sockets }) => sockets),
    settled('open files', samples, ({ openFiles }) => openFiles),
    { isGood: listenerWarnings === 0, text: `${listenerWarnings} warnings of listeners that pile up` },
  ];
}

/** What memory may grow by beyond measure of chance. */
const chanceFactor = 1.2;

/** Compares the lowest values of the middle third and of the last: between collections memory goes up and down. */
function growth(
  name: string,
  samples: readonly Sample[],
  of: (sample: Sample) => number,
  slackMiB: number,
): Finding {
  const third = Math.floor(samples.length / 3);
  const floorOf = (part: readonly Sample[]): number => Math.min(...part.map(of));
  const middle = floorOf(samples.slice(third, 2 * third + 1));
  const last = floorOf(samples.slice(2 * third));
  return {
    isGood: last <= middle * chanceFactor + slackMiB,
    text: `${name}: ${middle.toFixed(0)} MiB at the lowest in the middle third, ${last.toFixed(0)} MiB in the last`,
  };
}

/** What a gateway may keep open after the load, over what it had before: connections to subgraphs that are kept. */
const keptOpen = 40;

function settled(name: string, samples: readonly Sample[], of: (sample: Sample) => number): Finding {
  const values = samples.map(of);
  const [before = 0] = values;
  const after = values.at(-1) ?? 0;
  return {
    isGood: after <= before + keptOpen,
    text: `${name}: ${before} before the load, at most ${Math.max(...values)} under it, ${after} after it`,
  };
}
