import { randomUUID } from 'node:crypto';

import type { HrTime } from '@opentelemetry/api';
import { ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import type { ISerializer } from '@opentelemetry/otlp-transformer';
import { ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { DataPoint, Histogram, MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics';
import type { Metric, Registry } from 'prom-client';

import type { OtlpNaming } from '../otlp/otlp-names.ts';
import { attributeNameOf, otlpNamingOf } from '../otlp/otlp-names.ts';
import type { MetricsPusherOptions } from './metrics-pusher-options.ts';

/** OpenTelemetry's own. */
export const metricsSerializer: ISerializer<ResourceMetrics, unknown> = ProtobufMetricsSerializer;

type Labels = Readonly<Partial<Record<string, string | number>>>;
type Collected = Awaited<ReturnType<Metric['get']>>;

/** A series of a histogram, or of a counter or gauge, whose only count is its value. */
interface Series {
  readonly labels: Labels;
  /** In each bucket alone. */
  counts: number[];
  bounds: number[];
  sum: number;
  /** The sample of the bucket before. */
  below: number;
}

/** The metrics of a moment. */
export interface ReadMetrics {
  readonly metrics: ResourceMetrics;
  /** Call it when a collector has them: the next delta starts here. */
  readonly accept: () => void;
}

/** Reads a registry of prom-client as the metrics of OpenTelemetry's SDK. */
export class MetricsReader {
  readonly #registry: Registry;
  readonly #resource: ResourceMetrics['resource'];
  readonly #isDelta: boolean;
  #startMs = performance.timeOrigin;
  /** The series that the collector has, by metric and labels; empty where metrics are cumulative. */
  #accepted: ReadonlyMap<string, Series> = new Map();

  constructor(
    registry: Registry,
    { resource, temporality }: Pick<MetricsPusherOptions, 'resource' | 'temporality'>,
  ) {
    this.#registry = registry;
    this.#isDelta = temporality === 'delta';
    // Without it, the series of several processes would be one.
    const attributes = { 'service.instance.id': randomUUID(), ...resource };
    this.#resource = resourceFromAttributes(
      Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [
          name,
          typeof value === 'object' ? [...value] : value,
        ]),
      ) as Parameters<typeof resourceFromAttributes>[0],
    );
  }

  async read(): Promise<ReadMetrics> {
    const nowMs = performance.timeOrigin + performance.now();
    const read = new Map<string, Series>();
    const metrics: MetricData[] = [];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- prom-client declares their descriptions alone
    for (const metric of this.#registry.getMetricsAsArray() as unknown as Metric[]) {
      const data = this.#dataOf(await metric.get(), otlpNamingOf(metric), millisToHrTime(nowMs), read);
      if (data !== undefined) {
        metrics.push(data);
      }
    }
    return {
      metrics: {
        resource: this.#resource,
        scopeMetrics: [{ scope: { name: '@meridian/telemetry' }, metrics }],
      },
      accept: () => {
        if (this.#isDelta) {
          this.#accepted = read;
          this.#startMs = nowMs;
        }
      },
    };
  }

  /** Undefined for a metric without values, and for a summary. */
  #dataOf(
    collected: Collected,
    { attributes: names, ...own }: OtlpNaming,
    endTime: HrTime,
    read: Map<string, Series>,
  ): MetricData | undefined {
    const { name, help } = collected;
    // prom-client declares a number, and gives the name.
    const type = String(collected.type);
    if (collected.values.length === 0 || type === 'summary') {
      return undefined;
    }
    const series = seriesOf(collected);
    const isInteger = series.every(({ counts: [value] }) => Number.isSafeInteger(value));
    const descriptor = {
      ...own,
      description: help,
      valueType: isInteger && type !== 'histogram' ? ValueType.INT : ValueType.DOUBLE,
    };
    const points = <Value>(valueOf: (series: Series) => Value): DataPoint<Value>[] =>
      series.map((one) => ({
        startTime: millisToHrTime(this.#startMs),
        endTime,
        attributes: attributesOf(one.labels, names),
        value: valueOf(one),
      }));
    if (type === 'gauge') {
      return {
        descriptor,
        aggregationTemporality: AggregationTemporality.CUMULATIVE,
        dataPointType: DataPointType.GAUGE,
        dataPoints: points(({ counts: [value = 0] }) => value),
      };
    }
    const aggregationTemporality = this.#isDelta
      ? AggregationTemporality.DELTA
      : AggregationTemporality.CUMULATIVE;
    const changeOf = (one: Series): Series => {
      if (!this.#isDelta) {
        return one;
      }
      const id = `${name} ${JSON.stringify(one.labels)}`;
      read.set(id, one);
      return change(one, this.#accepted.get(id));
    };
    if (type === 'counter') {
      return {
        descriptor,
        aggregationTemporality,
        dataPointType: DataPointType.SUM,
        isMonotonic: true,
        dataPoints: points((one) => changeOf(one).counts[0] ?? 0),
      };
    }
    return {
      descriptor,
      aggregationTemporality,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: points((one) => histogramOf(changeOf(one))),
    };
  }
}

/** prom-client gives each bucket of a histogram as a sample, with the observations of all buckets below. */
function seriesOf({ name, values }: Collected): readonly Series[] {
  const all = new Map<string, Series>();
  for (const sample of values) {
    const { le, ...labels } = sample.labels;
    const id = JSON.stringify(labels);
    let series = all.get(id);
    if (series === undefined) {
      series = { labels, counts: [], bounds: [], sum: 0, below: 0 };
      all.set(id, series);
    }
    const sampleName = 'metricName' in sample ? sample.metricName : undefined;
    if (sampleName === `${name}_sum`) {
      series.sum = sample.value;
    } else if (sampleName !== `${name}_count`) {
      series.counts.push(sample.value - series.below);
      series.below = sample.value;
      if (typeof le === 'number') {
        series.bounds.push(le);
      }
    }
  }
  return [...all.values()];
}

function change(now: Series, before: Series | undefined): Series {
  return before === undefined
    ? now
    : {
        ...now,
        counts: now.counts.map((count, index) => count - (before.counts[index] ?? 0)),
        sum: now.sum - before.sum,
      };
}

function histogramOf({ counts, bounds, sum }: Series): Histogram {
  return {
    buckets: { boundaries: bounds, counts },
    sum,
    count: counts.reduce((total, count) => total + count, 0),
  };
}

function attributesOf(labels: Labels, names: OtlpNaming['attributes']): Labels {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [names?.[name] ?? attributeNameOf(name), value]),
  );
}
