import './plan.css';

import type { PlannedFetch } from '@meridian/executor';
import type { ReactElement, RefObject } from 'react';
import { useLayoutEffect, useRef, useState } from 'react';

import { count, milliseconds } from '../format-values.ts';

export interface PlanProps {
  readonly fetches: readonly PlannedFetch[];
  /** The colour of a subgraph: the same wherever it is shown. */
  readonly colourOf: (subgraph: string) => string;
  readonly run?: PlanRun | undefined;
}

/** A run of a plan, by the numbers of its fetches. A fetch that is not in it was not sent. */
export type PlanRun = ReadonlyMap<number, FetchRun>;

/** A fetch as a run of the plan sent it. */
export interface FetchRun {
  /** After the request began. */
  readonly startMs: number;
  /** Absent where it had not ended when the request had. */
  readonly durationMs?: number | undefined;
  /** The number of requested entities; absent for root fields. */
  readonly entities?: number | undefined;
  /** `ok`, or what went wrong. */
  readonly outcome: string;
}

/** A plan, a row for each round. Lines lead to a fetch from those that it waits for. */
export function Plan({ fetches, colourOf, run }: PlanProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const lines = useLines(place, fetches);
  const rounds = Map.groupBy(
    fetches.toSorted((one, other) => one.round - other.round),
    ({ round }) => round,
  );
  const scaleMs = Math.max(1, ...Array.from(run?.values() ?? [], endOf));
  return (
    <div className="plan" ref={place}>
      <svg aria-hidden>
        {lines.map((path) => (
          <path key={path} d={path} />
        ))}
      </svg>
      <ol aria-label="Plan">
        {fetches.length === 0 && <li>Nothing is fetched</li>}
        {Array.from(rounds, ([round, ofRound]) => (
          <li key={round}>
            Round {round}
            <ul>
              {ofRound.map((fetch) => (
                <Fetch
                  key={fetch.number}
                  fetch={fetch}
                  colour={colourOf(fetch.subgraph)}
                  result={run && resultOf(fetch, run.get(fetch.number))}
                  bar={run && barOf(run.get(fetch.number), scaleMs)}
                />
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Fetch(props: {
  readonly fetch: PlannedFetch;
  readonly colour: string;
  readonly result: readonly string[] | undefined;
  readonly bar: { readonly marginLeft: string; readonly width: string } | undefined;
}): ReactElement {
  const { fetch, colour, result = [], bar } = props;
  const { number, subgraph, operationKind, target, lookup, fields, after, sameAs } = fetch;
  return (
    <li className="fetch" data-fetch={number} style={{ borderLeftColor: colour }}>
      <p>
        <strong>
          {number} {subgraph}
        </strong>{' '}
        <span>{[...(after.length === 0 ? [] : [`after ${after.join(', ')}`]), ...result].join(' · ')}</span>
      </p>
      <p>
        {target ?? operationKind} {lookup !== undefined && `by ${lookup}`}
      </p>
      <p className="names" title={fields.join(', ')}>
        {fields.join(', ')}
      </p>
      {sameAs !== undefined && <p>one request with {sameAs} for the same</p>}
      {bar !== undefined && (
        <div className="time">
          <div style={{ ...bar, background: colour }} />
        </div>
      )}
    </li>
  );
}

/** The time of a fetch in a run, the number of requested entities, and the failure. */
function resultOf({ sameAs }: PlannedFetch, ran: FetchRun | undefined): readonly string[] {
  if (ran === undefined) {
    return [sameAs === undefined ? 'not sent' : `with ${sameAs}`];
  }
  const { durationMs, entities, outcome } = ran;
  return [
    durationMs === undefined ? 'not ended' : milliseconds(durationMs),
    ...(entities === undefined ? [] : [count(entities, 'entity', 'entities')]),
    ...(outcome === 'ok' ? [] : [outcome]),
  ];
}

/** The time of a fetch within the run, whose bars share one scale. */
function barOf(
  ran: FetchRun | undefined,
  scaleMs: number,
): { marginLeft: string; width: string } | undefined {
  return (
    ran && { marginLeft: percent(ran.startMs / scaleMs), width: percent((ran.durationMs ?? 0) / scaleMs) }
  );
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)}%`;
}

function endOf({ startMs, durationMs = 0 }: FetchRun): number {
  return startMs + durationMs;
}

/** The lines as paths, drawn again when the plan's width changes. They pass other fetches underneath. */
function useLines(place: RefObject<HTMLElement | null>, fetches: readonly PlannedFetch[]): readonly string[] {
  const [lines, setLines] = useState<readonly string[]>([]);
  useLayoutEffect(() => {
    const boxOf = (number: number): HTMLElement | null | undefined =>
      place.current?.querySelector<HTMLElement>(`[data-fetch="${number}"]`);
    const draw = (): void =>
      setLines(
        fetches.flatMap(({ number, after }) =>
          after.flatMap((earlier) => lineBetween(boxOf(earlier), boxOf(number))),
        ),
      );
    const observer = new ResizeObserver(draw);
    if (place.current !== null) {
      observer.observe(place.current);
    }
    return () => observer.disconnect();
  }, [place, fetches]);
  return lines;
}

function lineBetween(from: HTMLElement | null | undefined, to: HTMLElement | null | undefined): string[] {
  if (!from || !to) {
    return [];
  }
  const [x, y] = [from.offsetLeft + from.offsetWidth / 2, from.offsetTop + from.offsetHeight];
  const [endX, endY] = [to.offsetLeft + to.offsetWidth / 2, to.offsetTop - 1];
  const middle = (y + endY) / 2;
  return [`M${x} ${y}C${x} ${middle} ${endX} ${middle} ${endX} ${endY}m-4-6l4 6 4-6`];
}
