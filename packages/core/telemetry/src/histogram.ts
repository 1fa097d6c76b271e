import type { HistogramConfiguration, LabelValues, Registry } from 'prom-client';
import { Histogram as CollectedHistogram } from 'prom-client';

import type { OtlpNaming } from './otlp/otlp-names.ts';
import { registerMetric } from './otlp/otlp-names.ts';
import { ViewedRegistry } from './views/viewed-registry.ts';

export interface HistogramOptions<Label extends string> {
  readonly registry: Registry;
  readonly name: string;
  readonly help: string;
  /** The labels. Each must have few values, whatever clients send. */
  readonly labelNames: readonly Label[];
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
  /** The names in OpenTelemetry. Default: those that the names in Prometheus give. */
  readonly otlpName?: OtlpNaming;
}

/** Values of all labels, as text or numbers. */
export type SeriesLabels<Label extends string> = Readonly<Record<Label, string | number>>;

/** A histogram with labels. */
export interface Histogram<Label extends string> {
  observe(labels: SeriesLabels<Label>, value: number): void;
  /** The series with these labels, for frequent observations. */
  series(labels: SeriesLabels<Label>): HistogramSeries;
}

export interface HistogramSeries {
  /** @param value any finite number; other values are ignored, because they would spoil the sum */
  observe(value: number): void;
}

/**
 * Registers a histogram that counts in typed arrays, which prom-client renders at the scrape. prom-client's own
 * `observe` costs twenty times as much: it validates, sorts and hashes the labels of every observation.
 */
export function createHistogram<Label extends string>(options: HistogramOptions<Label>): Histogram<Label> {
  const { registry, labelNames, name, otlpName, ...description } = options;
  const buckets =
    (registry instanceof ViewedRegistry ? registry.bucketsOf(name, otlpName) : undefined) ?? options.buckets;
  const all: Series<Label>[] = [];
  const root: Branch<Label> = { series: undefined, below: new Map() };
  const configuration = { ...description, name, labelNames, buckets: [...buckets], registers: [] };
  const values = (): RenderedValue<Label>[] => all.flatMap((series) => series.render(name));
  registerMetric(registry, new RenderedHistogram(configuration, values), otlpName);

  const seriesOf = (labels: SeriesLabels<Label>): Series<Label> => {
    let branch = root;
    for (const label of labelNames) {
      branch = branchOf(branch, String(labels[label]));
    }
    if (branch.series === undefined) {
      branch.series = new Series(labels, buckets);
      all.push(branch.series);
    }
    return branch.series;
  };
  return { series: seriesOf, observe: (labels, value) => seriesOf(labels).observe(value) };
}

/** The series by the value of their first label, then of the next. */
interface Branch<Label extends string> {
  /** Once all labels are given. */
  series: Series<Label> | undefined;
  readonly below: Map<string, Branch<Label>>;
}

function branchOf<Label extends string>({ below }: Branch<Label>, value: string): Branch<Label> {
  let branch = below.get(value);
  if (branch === undefined) {
    branch = { series: undefined, below: new Map() };
    below.set(value, branch);
  }
  return branch;
}

class Series<Label extends string> implements HistogramSeries {
  readonly #labels: SeriesLabels<Label>;
  readonly #buckets: readonly number[];
  /** Observations in each bucket alone; the last holds those above all bounds. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(labels: SeriesLabels<Label>, buckets: readonly number[]) {
    this.#labels = { ...labels };
    this.#buckets = buckets;
    this.#counts = new Float64Array(buckets.length + 1);
  }

  observe(value: number): void {
    if (!Number.isFinite(value)) {
      return;
    }
    const buckets = this.#buckets;
    let index = 0;
    while (index < buckets.length && value > (buckets[index] ?? 0)) {
      index += 1;
    }
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
  }

  render(name: string): RenderedValue<Label>[] {
    const sharedLabels = this.#labels;
    const values: RenderedValue<Label>[] = [];
    let count = 0;
    for (const [index, inBucket] of this.#counts.entries()) {
      count += inBucket;
      const le = this.#buckets[index] ?? '+Inf';
      values.push({ metricName: `${name}_bucket`, labels: { le }, sharedLabels, value: count });
    }
    values.push({ metricName: `${name}_sum`, labels: {}, sharedLabels, value: this.#sum });
    values.push({ metricName: `${name}_count`, labels: {}, sharedLabels, value: count });
    return values;
  }
}

type Collected<Label extends string> = Awaited<ReturnType<CollectedHistogram<Label>['get']>>;

/** A sample, as prom-client renders it. */
interface RenderedValue<Label extends string> {
  readonly metricName: string;
  readonly labels: { readonly le?: number | '+Inf' };
  /** The labels of the series. prom-client writes them after its default labels. */
  readonly sharedLabels: LabelValues<Label>;
  readonly value: number;
}

/** A prom-client histogram whose values are counted here. */
class RenderedHistogram<Label extends string> extends CollectedHistogram<Label> {
  /** Never observed: it only holds the metric's description. */
  readonly #description: CollectedHistogram<Label>;
  readonly #values: () => RenderedValue<Label>[];

  constructor(configuration: HistogramConfiguration<Label>, values: () => RenderedValue<Label>[]) {
    super(configuration);
    this.#description = new CollectedHistogram(configuration);
    this.#values = values;
  }

  override async get(): Promise<Collected<Label>> {
    const values = this.#values().map(({ metricName, value, labels, sharedLabels }) => ({
      metricName,
      value,
      labels: Object.assign(labels, sharedLabels),
    }));
    return { ...(await this.#description.get()), values };
  }

  /** The values that prom-client renders as text; versions without this method call `get`. */
  async getForPromString(): Promise<Omit<Collected<Label>, 'values'> & { values: RenderedValue<Label>[] }> {
    return { ...(await this.#description.get()), values: this.#values() };
  }
}
