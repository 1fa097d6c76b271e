import { median } from '../../harness/numbers.ts';
import type { PastEvent } from '../events/run-events.ts';
import type { StreamTotals } from '../load/follow-reviews.ts';
import type { Totals } from '../load/tally.ts';
import type { Held, Sample } from '../watch/sampler.ts';

export interface SoakOutcome {
  readonly totals: Totals;
  /** In order; the last one is from after the load. */
  readonly samples: readonly Sample[];
  readonly streams: StreamTotals;
  readonly events: readonly PastEvent[];
  /** The expected kinds of event. */
  readonly kinds: readonly string[];
  /** The unexpected ends of services. */
  readonly unexpectedEnds: readonly string[];
  readonly listenerWarnings: number;
}

/** One criterion, and its result. */
export interface Finding {
  readonly isGood: boolean;
  readonly text: string;
}

/** The criteria of a run, which docs/soak.md explains. */
export function judge(outcome: SoakOutcome): readonly Finding[] {
  const { unexpectedEnds, listenerWarnings } = outcome;
  const lives = livesOf(outcome.samples);
  const longestLife = lives.toSorted((one, other) => other.length - one.length)[0] ?? [];
  return [
    responses(outcome.totals),
    mixture(outcome.totals),
    streamed(outcome.streams),
    events(outcome),
    {
      isGood: unexpectedEnds.length === 0,
      text: `services that ended by themselves: ${unexpectedEnds.join('; ') || 'none'}`,
    },
    growth('heap after a collection', longestLife, ({ heapMiB }) => heapMiB, { factor: 1.1, slackMiB: 4 }),
    growth('resident memory', longestLife, ({ rssMiB }) => rssMiB, { factor: 1.2, slackMiB: 32 }),
    settled('sockets', lives, ({ sockets }) => sockets),
    settled('open files', lives, ({ openFiles }) => openFiles),
    { isGood: listenerWarnings === 0, text: `${listenerWarnings} warnings of listeners that pile up` },
  ];
}

function responses({ right, faults }: Totals): Finding {
  const wrong = [...faults].map(([fault, count]) => `${count} × ${fault}`);
  return {
    isGood: right > 0 && wrong.length === 0,
    text: `${right} responses were right; wrong: ${wrong.join('; ') || 'none'}`,
  };
}

/** A run without a rejection or without a partial response has missed its purpose. */
function mixture({ partial, rejected, lost, hungUp, triedAgain }: Totals): Finding {
  return {
    isGood: partial > 0 && rejected > 0 && triedAgain > 0,
    text: `of these ${partial} partial while a subgraph was away, ${rejected} rejected as they must be; ${lost} requests were lost with a killed service, ${hungUp} clients hung up, ${triedAgain} refused connections were retried`,
  };
}

/** A run in which no stream was opened again has missed its purpose. */
function streamed({ events: count, reconnects, faults }: StreamTotals): Finding {
  return {
    isGood: count > 0 && reconnects > 0 && faults.length === 0,
    text: `${count} events to each client that stayed, over ${reconnects} reconnections; lost, twice or out of order: ${faults.join('; ') || 'none'}`,
  };
}

function events({ events: past, kinds }: SoakOutcome): Finding {
  const faults = past.flatMap(({ name, atSeconds, fault }) =>
    fault === undefined ? [] : [`${name} at ${atSeconds.toFixed(0)} s: ${fault}`],
  );
  const missing = kinds.filter((kind) => past.every(({ name }) => name !== kind));
  return {
    isGood: faults.length === 0 && missing.length === 0,
    text: [
      `${past.length} events of ${kinds.length} kinds`,
      ...(missing.length > 0 ? [`never: ${missing.join(', ')}`] : []),
      faults.length > 0 ? `without recovery: ${faults.join('; ')}` : 'all recovered from',
    ].join('; '),
  };
}

/** The samples of each process of the gateway, in order. */
function livesOf(samples: readonly Sample[]): readonly (readonly Held[])[] {
  const all = samples.flatMap(({ held }) => held ?? []);
  return [...Map.groupBy(all, ({ processStart }) => processStart).values()];
}

/** The part of a process's life in which caches fill and code is compiled. */
const warmUpPart = 0.2;
/** With fewer samples in a third, the median is meaningless. */
const minSamples = 3;

/** Compares the medians of the first and the last third of the longest life, without the warm-up. */
function growth(
  name: string,
  life: readonly Held[],
  of: (held: Held) => number,
  { factor, slackMiB }: { readonly factor: number; readonly slackMiB: number },
): Finding {
  const values = life.slice(Math.ceil(life.length * warmUpPart)).map(of);
  const third = Math.floor(values.length / 3);
  if (third < minSamples) {
    return { isGood: false, text: `${name}: too short a run to judge` };
  }
  const first = median(values.slice(0, third));
  const last = median(values.slice(-third));
  return {
    isGood: last <= first * factor + slackMiB,
    text: `${name}: ${first.toFixed(1)} MiB at the median in the first third after the warm-up, ${last.toFixed(1)} MiB in the last`,
  };
}

/**
 * The number of connections to subgraphs that a gateway may keep open after the load, in addition to those
 * before.
 */
const keptOpen = 40;

function settled(name: string, lives: readonly (readonly Held[])[], of: (held: Held) => number): Finding {
  const values = lives.flat().map(of);
  const [before = 0] = values;
  const after = values.at(-1) ?? 0;
  return {
    isGood: values.length > 0 && after <= before + keptOpen,
    text: `${name}: ${before} before the load, at most ${Math.max(0, ...values)} under it, ${after} after it`,
  };
}
