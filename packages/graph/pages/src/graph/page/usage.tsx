import type { ReactElement } from 'react';

import { figure, milliseconds, share } from '../../format-values.ts';
import { colourAt } from '../../plan/colour-at.ts';
import type { OperationData } from '../graph-data.ts';
import { useModel } from './model.ts';
import { Section, Table, clientName } from './parts.tsx';

interface OperationsProps {
  readonly operations: readonly OperationData[];
}

/** The clients of operations, and their requests over time. */
export function Clients({ operations }: OperationsProps): ReactElement {
  return (
    <Section title="Clients">
      <UsageChart operations={operations} />
      <ClientsTable operations={operations} />
    </Section>
  );
}

const width = 640;
const height = 96;
const gap = 1;
/** Degrees from the colours of subgraphs. */
const turn = 60;

/** Requests by client over time, as bars. Nothing for less than two days. */
function UsageChart({ operations }: OperationsProps): ReactElement | undefined {
  const { days } = useModel().usage;
  const series = seriesOf(operations);
  if (series.length === 0 || days.length < 2) {
    return undefined;
  }
  const totals = days.map((_, day) => sumOf(series.map(({ daily }) => daily[day] ?? 0)));
  const max = Math.max(1, ...totals);
  const step = width / days.length;
  const label = `Requests by day, from ${days[0]} to ${days.at(-1)}; at most ${figure(max)} a day`;
  return (
    <figure>
      <svg className="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        <line x1={0} y1={height - 0.5} x2={width} y2={height - 0.5} className="axis" />
        {days.map((day, index) => {
          let y = height;
          return series.map(({ client, daily }, place) => {
            const requests = daily[index] ?? 0;
            const bar = (requests / max) * (height - 4);
            y -= bar;
            return (
              <rect
                key={day + client}
                x={index * step}
                y={y}
                width={Math.max(1, step - gap)}
                height={bar}
                fill={colourAt(place, turn)}
              >
                <title>{`${day}: ${figure(requests)} by ${clientName(client)}`}</title>
              </rect>
            );
          });
        })}
      </svg>
      <figcaption>
        <span>{days[0]}</span>
        {series.map(({ client, daily }, place) => (
          <span key={client}>
            <span className="dot" style={{ background: colourAt(place, turn) }} />
            {clientName(client)} {figure(sumOf(daily))}
          </span>
        ))}
        <span>{days.at(-1)}</span>
      </figcaption>
    </figure>
  );
}

function seriesOf(operations: readonly OperationData[]): { client: string; daily: readonly number[] }[] {
  const uses = operations
    .flatMap(({ clients }) => clients)
    .flatMap(({ name, daily }) => (daily === undefined ? [] : { name, daily }));
  return Array.from(
    Map.groupBy(uses, ({ name }) => name),
    ([client, ofClient]) => ({
      client,
      daily: (ofClient[0]?.daily ?? []).map((_, day) => sumOf(ofClient.map(({ daily }) => daily[day] ?? 0))),
    }),
  );
}

/** The clients of operations: versions, requests and last use. */
function ClientsTable({ operations }: OperationsProps): ReactElement {
  const uses = operations.flatMap(({ clients }) => clients);
  const byVersion = Map.groupBy(uses, ({ name, version }) => JSON.stringify([name, version]));
  const isRecorded = uses.some(({ requests }) => requests !== undefined);
  const rows = Array.from(byVersion.values(), (ofVersion) => {
    const { name = '', version = 'any' } = ofVersion[0] ?? {};
    const recorded = ofVersion.filter((use) => use.requests !== undefined);
    const requests = sumOf(recorded.map((use) => use.requests ?? 0));
    const failed = sumOf(recorded.map((use) => (use.requests ?? 0) * (use.failedShare ?? 0)));
    const durations = recorded.flatMap(({ p95Ms }) => p95Ms ?? []);
    const lastDays = recorded.map(({ lastDay = '' }) => lastDay).toSorted();
    const cells = [
      figure(recorded.length === 0 ? undefined : requests),
      share(recorded.some((use) => use.failedShare !== undefined) ? failed / requests : undefined),
      milliseconds(durations.length === 0 ? undefined : Math.max(...durations)),
      lastDays.at(-1) ?? 'no recorded use',
    ];
    return { requests, cells: [clientName(name), version, ...(isRecorded ? cells : [])] };
  });
  return (
    <Table
      heads={['Client', 'Version', 'Requests', 'Errors', 'p95', 'Last use']}
      rows={rows.toSorted((one, other) => other.requests - one.requests).map(({ cells }) => cells)}
    />
  );
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
