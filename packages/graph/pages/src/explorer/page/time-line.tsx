import type { ReactElement } from 'react';

import { count, milliseconds } from '../../format-values.ts';

/** A part of a response that has several: the first result, a deferred part, or an event of a subscription. */
export interface Part {
  /** Its number in the response, from 1. */
  readonly number: number;
  readonly name: string;
  /** From the request until it arrived. */
  readonly arrivedMs: number;
}

/** The most parts that are kept and drawn: a subscription may have any number. */
export const maxParts = 100;

/** When the parts of a response arrived: a row for each, on one scale, which begins with the request or the part before. */
export function TimeLine({ parts }: { readonly parts: readonly Part[] }): ReactElement {
  const firstMs = parts[0]?.number === 1 ? 0 : (parts[0]?.arrivedMs ?? 0);
  const latest = parts.at(-1);
  const scaleMs = Math.max(1, (latest?.arrivedMs ?? 0) - firstMs);
  const percent = (ms: number): string => `${(((ms - firstMs) / scaleMs) * 100).toFixed(1)}%`;
  return (
    <section className="explorer-time-line" aria-label="Time line">
      <h2>
        Time line
        <span className="explorer-quiet">
          {count(latest?.number ?? 0, 'part')} in {milliseconds(latest?.arrivedMs)}
        </span>
      </h2>
      <ol>
        {parts.map(({ number, name, arrivedMs }, index) => (
          <li
            key={number}
            title={`${milliseconds(arrivedMs - (parts[index - 1]?.arrivedMs ?? firstMs))} later`}
          >
            <span title={name}>{name}</span>
            <div className="explorer-track">
              <div
                style={{
                  left: percent(parts[index - 1]?.arrivedMs ?? firstMs),
                  right: `calc(100% - ${percent(arrivedMs)})`,
                }}
              />
            </div>
            <span className="explorer-quiet">{milliseconds(arrivedMs)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
