import type { OperationData } from '../graph-data.ts';
import { element } from './element.ts';
import type { Child } from './element.ts';
import { hueOfClient } from './hue-of-client.ts';
import { table } from './view-parts.ts';
import { clientName, figure, milliseconds, share } from './format-values.ts';

const width = 640;
const height = 96;
const gap = 1;

interface Series {
  readonly client: string;
  readonly daily: number[];
}

/** Requests by client over time, as bars. Undefined for less than two days. */
export function usageChart(operations: readonly OperationData[], days: readonly string[]): Child {
  const series = seriesOf(operations, days.length);
  if (series.length === 0 || days.length < 2) {
    return undefined;
  }
  const totals = days.map((_, day) => series.reduce((sum, { daily }) => sum + (daily[day] ?? 0), 0));
  const most = Math.max(1, ...totals);
  const step = width / days.length;
  const chart = svg('svg', {
    class: 'chart',
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-label': `Requests by day, from ${days[0]} to ${days.at(-1)}; at most ${figure(most)} a day`,
  });
  chart.append(
    svg('line', { x1: 0, y1: height - 0.5, x2: width, y2: height - 0.5, class: 'axis' }),
    ...days.flatMap((day, index) => {
      let y = height;
      return series.map(({ client, daily }, place) => {
        const bar = ((daily[index] ?? 0) / most) * (height - 4);
        y -= bar;
        const rectangle = svg('rect', {
          x: index * step,
          y,
          width: Math.max(1, step - gap),
          height: bar,
          fill: `hsl(${hueOfClient(place)} 46% 54%)`,
        });
        const title = svg('title', {});
        title.textContent = `${day}: ${figure(daily[index] ?? 0)} by ${clientName(client)}`;
        rectangle.append(title);
        return rectangle;
      });
    }),
  );
  return element(
    'figure',
    {},
    chart,
    element(
      'figcaption',
      {},
      element('span', {}, days[0] ?? ''),
      series.map(({ client, daily }, place) =>
        element(
          'span',
          { class: 'key' },
          swatch(place),
          `${clientName(client)} ${figure(daily.reduce((sum, requests) => sum + requests, 0))}`,
        ),
      ),
      element('span', {}, days.at(-1) ?? ''),
    ),
  );
}

function seriesOf(operations: readonly OperationData[], length: number): readonly Series[] {
  const byClient = new Map<string, number[]>();
  for (const { name, daily } of operations.flatMap(({ clients }) => clients)) {
    if (daily !== undefined) {
      const sums = byClient.get(name) ?? Array.from({ length }, () => 0);
      daily.forEach((requests, day) => {
        sums[day] = (sums[day] ?? 0) + requests;
      });
      byClient.set(name, sums);
    }
  }
  return Array.from(byClient, ([client, daily]) => ({ client, daily }));
}

function swatch(place: number): Node {
  const drawn = svg('svg', { viewBox: '0 0 8 8', width: 8, height: 8, class: 'dot', 'aria-hidden': 'true' });
  drawn.append(svg('rect', { width: 8, height: 8, fill: `hsl(${hueOfClient(place)} 46% 54%)` }));
  return drawn;
}

/** The clients of operations: versions, requests and last use. */
export function clientsTable(operations: readonly OperationData[]): HTMLElement {
  const rows = operations.flatMap(({ clients }) => clients);
  const byVersion = [...Map.groupBy(rows, ({ name, version }) => JSON.stringify([name, version])).values()];
  const isRecorded = rows.some(({ requests }) => requests !== undefined);
  const lines = byVersion.map((ofVersion) => {
    const recorded = ofVersion.filter(({ requests }) => requests !== undefined);
    const requests = recorded.reduce((sum, use) => sum + (use.requests ?? 0), 0);
    const failed = recorded.reduce((sum, use) => sum + (use.requests ?? 0) * (use.failedShare ?? 0), 0);
    const durations = recorded.flatMap(({ p95Ms }) => p95Ms ?? []);
    const { name = '', version } = ofVersion[0] ?? {};
    return {
      name,
      version,
      requests: recorded.length === 0 ? undefined : requests,
      lastDay: recorded
        .map(({ lastDay = '' }) => lastDay)
        .toSorted()
        .at(-1),
      failedShare: recorded.some((use) => use.failedShare !== undefined) ? failed / requests : undefined,
      p95Ms: durations.length === 0 ? undefined : Math.max(...durations),
    };
  });
  return table(
    ['Client', 'Version', 'Requests', 'Errors', 'p95', 'Last use'],
    lines
      .toSorted((one, other) => (other.requests ?? 0) - (one.requests ?? 0))
      .map(({ name, version, requests, failedShare, p95Ms, lastDay }) => [
        clientName(name),
        version ?? 'any',
        isRecorded && figure(requests),
        isRecorded && share(failedShare),
        isRecorded && milliseconds(p95Ms),
        isRecorded && (lastDay ?? 'no recorded use'),
      ]),
  );
}

function svg(tag: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const created = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) {
    created.setAttribute(name, String(value));
  }
  return created;
}
