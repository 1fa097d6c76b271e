import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';

import type { Histogram, HistogramOptions } from './histogram.ts';
import { createHistogram } from './histogram.ts';
import type { MetricViews } from './views/metric-views.ts';
import { ViewedRegistry } from './views/viewed-registry.ts';

/** The metrics of a process. Packages register further ones in `registry`. */
export interface Metrics {
  readonly registry: Registry;
  /**
   * The route is a pattern, never a path: a label takes few values. The labels are OpenTelemetry's, as in Apollo
   * Router.
   */
  readonly requestDurationSeconds: Histogram<
    'http_route' | 'http_request_method' | 'http_response_status_code'
  >;
  readonly activeRequests: ActiveRequests;
  readonly problemsTotal: Counter<'kind'>;
  readonly openConnections: Gauge;
  readonly connectionsRefusedTotal: Counter;
  /** All of them, and the metrics of its parts, as Prometheus text. */
  readonly expose: () => Promise<string>;
  /** Creates the metrics of a part of the process: the same names, with one more label. */
  readonly createPart: (labels: Readonly<Record<string, string>>) => Metrics;
}

/** Counts the requests under way, by method. Node accepts only methods that it knows. */
export interface ActiveRequests {
  add(method: string): void;
  remove(method: string): void;
}

export interface MetricsOptions {
  readonly service: string;
  /** Absent when all metrics are shown as they are. */
  readonly views?: MetricViews | undefined;
}

/**
 * The metrics of one process: its own (memory, event loop, garbage collection) and the metrics common to all
 * HTTP services.
 */
export function createMetrics({ service, views }: MetricsOptions): Metrics {
  const metrics = createPartOf({ service }, views);
  collectDefaultMetrics({ register: metrics.registry });
  return metrics;
}

function createPartOf(labels: Readonly<Record<string, string>>, views: MetricViews | undefined): Metrics {
  const registry = views === undefined ? new Registry() : new ViewedRegistry(views);
  registry.setDefaultLabels(labels);
  const parts: Metrics[] = [];
  return {
    registry,
    requestDurationSeconds: createHistogram({
      registry,
      name: 'http_server_request_duration_seconds',
      help: 'Time from the head of a request to the end of its response, in seconds; of a stream, to its head.',
      labelNames: ['http_route', 'http_request_method', 'http_response_status_code'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    }),
    activeRequests: countActiveRequests(registry),
    problemsTotal: new Counter({
      name: 'http_server_problems_total',
      help: 'Responses with a problem, by kind.',
      labelNames: ['kind'],
      registers: [registry],
    }),
    openConnections: new Gauge({
      name: 'http_server_open_connections',
      help: 'Open connections, also of the admin listener.',
      registers: [registry],
    }),
    connectionsRefusedTotal: new Counter({
      name: 'http_server_connections_refused_total',
      help: 'Connections that were closed at once because all were in use.',
      registers: [registry],
    }),
    async expose() {
      const own = await registry.metrics();
      if (parts.length === 0) {
        return own;
      }
      const ofParts = await Promise.all(parts.map((part) => part.expose()));
      return mergeMetrics([own, ...ofParts].map((text) => ({ text })));
    },
    createPart(more) {
      const part = createPartOf({ ...labels, ...more }, views);
      parts.push(part);
      return part;
    },
  };
}

function countActiveRequests(registry: Registry): ActiveRequests {
  const counts = new Map<string, number>();
  const gauge = new Gauge({
    name: 'http_server_active_requests',
    help: 'Requests under way.',
    labelNames: ['http_request_method'],
    registers: [],
    collect() {
      for (const [method, count] of counts) {
        this.set({ http_request_method: method }, count);
      }
    },
  });
  registry.registerMetric(gauge);
  const change = (method: string, by: number): void => {
    counts.set(method, (counts.get(method) ?? 0) + by);
  };
  return { add: (method) => change(method, 1), remove: (method) => change(method, -1) };
}

/** Metrics as Prometheus text. */
export interface MetricsText {
  readonly text: string;
  /** The process that they are from, for its label; absent where all are of one. */
  readonly worker?: string;
}

interface Family {
  /** `# HELP` and `# TYPE`. */
  readonly comments: Set<string>;
  readonly samples: string[];
}

/**
 * Metrics of several registries as one text, in which a name occurs once. Samples of several processes have the label
 * `worker`, so that values such as an event loop delay are not added up; `sum without (worker)` adds up the others.
 */
export function mergeMetrics(texts: readonly MetricsText[]): string {
  const families = new Map<string, Family>();
  for (const { worker, text } of texts) {
    let family: Family = { comments: new Set(), samples: [] };
    for (const line of text.split('\n')) {
      const [, name] = /^# (?:HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (name !== undefined) {
        family = families.get(name) ?? { comments: new Set(), samples: [] };
        families.set(name, family);
        family.comments.add(line);
      } else if (line !== '' && !line.startsWith('#')) {
        family.samples.push(worker === undefined ? line : labelled(line, worker));
      }
    }
  }
  const lines: string[] = [];
  for (const { comments, samples } of families.values()) {
    lines.push(...comments, ...samples, '');
  }
  return lines.join('\n');
}

/** A sample is a name, labels in braces where it has any, and a value. */
function labelled(sample: string, worker: string): string {
  const label = `worker="${worker}"`;
  const end = /^[\w:]+/.exec(sample)?.[0].length ?? 0;
  return sample[end] === '{'
    ? `${sample.slice(0, end)}{${label},${sample.slice(end + 1)}`
    : `${sample.slice(0, end)}{${label}}${sample.slice(end)}`;
}

export type DurationsOptions<Label extends string> = Omit<HistogramOptions<Label>, 'registry' | 'buckets'>;

/** Registers a histogram of seconds, from half a millisecond to five seconds: the range of calls inside a service. */
export function createDurations<Label extends string>(
  { registry }: Metrics,
  options: DurationsOptions<Label>,
): Histogram<Label> {
  const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
  return createHistogram({ registry, ...options, buckets });
}
