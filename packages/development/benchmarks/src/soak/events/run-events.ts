import { setTimeout as delay } from 'node:timers/promises';

import type { SoakEvent } from './soak-events.ts';

/** An event with its outcome. */
export interface PastEvent {
  readonly name: string;
  readonly atSeconds: number;
  readonly tookSeconds: number;
  /** The reason why the stack has not recovered from it, or does not use the change. */
  readonly fault: string | undefined;
}

export interface EventsOptions {
  /** They happen in turn, each at least once, however short the run is. */
  readonly recurring: readonly SoakEvent[];
  /** It happens once, early, so that the longest life of the gateway is most of the run. */
  readonly once: SoakEvent;
  readonly seconds: number;
  /** The start of the run, by `performance.now()`. */
  readonly startedMs: number;
  /** The minimal pause between two events. Default: a short pause. */
  readonly calmMs?: number;
  readonly say: (line: string) => void;
  /** Ends the run early. */
  readonly signal: AbortSignal;
}

/** The interval between events; shorter in a short run. */
const maxPeriodMs = 20_000;
/** The part of the run after which the single event happens. */
const onceAfterPart = 1 / 6;

/** Runs the events one after another, until the time is over and each has happened. */
export async function runEvents({
  recurring,
  once,
  seconds,
  startedMs,
  calmMs = 1500,
  say,
  signal,
}: EventsOptions): Promise<readonly PastEvent[]> {
  const past: PastEvent[] = [];
  const elapsedMs = (): number => performance.now() - startedMs;
  const periodMs = Math.min(maxPeriodMs, (seconds * 1000) / (recurring.length + 2));
  let turns = 0;
  let hasHappened = false;
  let nextMs = periodMs;
  for (;;) {
    await delay(Math.max(calmMs, nextMs - elapsedMs()), undefined, { signal }).catch(() => undefined);
    const isOver = elapsedMs() >= seconds * 1000 && turns >= recurring.length && hasHappened;
    if (signal.aborted || isOver) {
      return past;
    }
    const isTurnOfOnce: boolean = !hasHappened && elapsedMs() >= seconds * 1000 * onceAfterPart;
    const event = isTurnOfOnce ? once : recurring[turns % recurring.length];
    if (event === undefined) {
      return past;
    }
    hasHappened ||= isTurnOfOnce;
    turns += isTurnOfOnce ? 0 : 1;
    nextMs = elapsedMs() + periodMs;
    const happened = await happen(event, elapsedMs);
    past.push(happened);
    say(`${`${happened.atSeconds.toFixed(0)} s`.padStart(7)}  ${described(happened)}`);
  }
}

async function happen({ name, run }: SoakEvent, elapsedMs: () => number): Promise<PastEvent> {
  const atSeconds = elapsedMs() / 1000;
  const fault = await run().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return { name, atSeconds, tookSeconds: elapsedMs() / 1000 - atSeconds, fault };
}

function described({ name, tookSeconds, fault }: PastEvent): string {
  return fault === undefined ? `${name}, ${tookSeconds.toFixed(1)} s` : `${name}: ${fault}`;
}
