// Long because it is one thing: the metrics that the file names, from their declaration to their samples.
import type { CustomInstrument, Instrument, RouterConfig, Stage } from '@meridian/router-config';
import { RouterConfigError } from '@meridian/router-config';
import type { HistogramSeries, Metrics } from '@meridian/telemetry';
import { createHistogram, plainName, prometheusNameOf, registerMetric } from '@meridian/telemetry';
import { Counter } from 'prom-client';

import { compileCondition } from '../../selectors/compile-condition.ts';
import { compileSelector } from '../../selectors/compile-selector.ts';
import type { RequestFacts, SubgraphFacts } from '../../selectors/request-facts.ts';
import type { CompiledAttribute } from './compile-attributes.ts';
import { compileAttributes } from './compile-attributes.ts';
import { standardValues } from './standard-values.ts';

type Settings = RouterConfig['telemetry']['instrumentation']['instruments'];

type AtEnd<Result> = (
  durationMs: number,
  request: RequestFacts,
  subgraph: SubgraphFacts | undefined,
) => Result;

/** Takes one measurement at the end of a stage. */
export type Measure = AtEnd<void>;

/** A metric to register. */
interface Declaration {
  /** With its unit, in OpenTelemetry's notation. */
  readonly name: string;
  readonly unit: string;
  readonly help: string;
  readonly type: CustomInstrument['type'];
  /** Of a histogram. */
  readonly buckets: readonly number[];
  /** A number to record. Any other value is ignored, and one below 0 for a counter. */
  readonly value: AtEnd<unknown>;
  readonly labels: readonly CompiledAttribute[];
}

const stages = ['router', 'supergraph', 'subgraph'] as const;

/**
 * Registers the metrics that the file names, once for a process, after the gateway's own, of which it may replace some.
 * Undefined for a stage without any. The measures of `head` take a stream at the head of its response.
 *
 * @throws {RouterConfigError} where a name is in use
 */
export function createInstruments(
  settings: Settings,
  metrics: Metrics,
): Readonly<Record<Stage | 'head', Measure | undefined>> {
  const measures: Record<Stage | 'head', Measure[]> = { head: [], router: [], supergraph: [], subgraph: [] };
  const faults: string[] = [];
  for (const [name, { stage, isOwn, unit }] of Object.entries(knownMetrics)) {
    const named = settings[stage].get(name);
    const isKept = named === undefined ? settings.default_requirement_level !== 'none' : isAsItIs(named);
    if (isOwn && !isKept) {
      metrics.registry.removeSingleMetric(prometheusNameOf({ name, unit }, false));
    }
  }
  for (const stage of stages) {
    for (const [name, instrument] of settings[stage]) {
      const declared = declarationOf(name, instrument);
      if (declared !== undefined) {
        const isOfHead = name === 'http.server.request.duration' && instrument.kind !== 'custom';
        const onFault = (fault: string): void =>
          void faults.push(`telemetry.instrumentation.instruments.${stage}.${name}${fault}`);
        measures[isOfHead ? 'head' : stage].push(createMeasure(declared, metrics, onFault));
      }
    }
  }
  if (faults.length > 0) {
    throw new RouterConfigError(faults);
  }
  return {
    head: allOf(measures.head),
    router: allOf(measures.router),
    supergraph: allOf(measures.supergraph),
    subgraph: allOf(measures.subgraph),
  };
}

function allOf(measures: readonly Measure[]): Measure | undefined {
  return measures.length === 0
    ? undefined
    : (durationMs, request, subgraph) => {
        for (const measure of measures) {
          measure(durationMs, request, subgraph);
        }
      };
}

interface KnownMetric extends Omit<Declaration, 'name' | 'type'> {
  readonly stage: Stage;
  /** True for one that the gateway has unless the file says otherwise. */
  readonly isOwn: boolean;
}

const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const durations = {
  isOwn: true,
  unit: 's',
  buckets: durationBuckets,
  value: (durationMs: number) => durationMs / 1000,
};
const sizes = { isOwn: false, unit: 'By', buckets: [100, 1000, 10_000, 100_000, 1_000_000, 10_000_000] };

const ofRequests: Pick<KnownMetric, 'stage' | 'labels'> = {
  stage: 'router',
  labels: [
    { name: 'http.route', select: ({ route = 'unmatched' }) => route },
    { name: 'http.request.method', select: ({ method }) => method },
    { name: 'http.response.status_code', select: ({ status }) => status },
  ],
};
const ofCosts: Omit<KnownMetric, 'help' | 'value'> = {
  stage: 'supergraph',
  isOwn: true,
  unit: '',
  buckets: [0, 10, 100, 1000, 10_000],
  labels: [{ name: 'cost.result', select: standardValues['cost.result'] }],
};
const ofSubrequests: Pick<KnownMetric, 'stage' | 'labels'> = {
  stage: 'subgraph',
  labels: [
    { name: 'subgraph.name', select: standardValues['subgraph.name'] },
    { name: 'http.response.status_code', select: (_request, subgraph) => subgraph?.status },
    { name: 'error.type', select: (_request, subgraph) => subgraph?.failure },
  ],
};

/** The metrics that the file may name without saying more. */
const knownMetrics: Readonly<Record<string, KnownMetric>> = {
  'http.server.request.duration': {
    ...ofRequests,
    ...durations,
    help: 'Time from the head of a request to the end of its response, in seconds.',
  },
  // Takes no attributes, so that the file never replaces it.
  'http.server.active_requests': { ...ofRequests, ...durations, unit: '', help: '' },
  'http.server.request.body.size': {
    ...ofRequests,
    ...sizes,
    help: 'Length of the bodies of requests, in bytes.',
    value: (_durationMs, request) => standardValues['http.request.body.size'](request, undefined),
  },
  'http.server.response.body.size': {
    ...ofRequests,
    ...sizes,
    help: 'Length of the bodies of responses, in bytes.',
    value: (_durationMs, request) => standardValues['http.response.body.size'](request, undefined),
  },
  'cost.estimated': {
    ...ofCosts,
    help: 'Estimated cost of operations.',
    value: (_durationMs, { costEstimated }) => costEstimated,
  },
  'cost.actual': {
    ...ofCosts,
    help: 'Actual cost of the operations that were measured.',
    value: (_durationMs, { costActual }) => costActual,
  },
  'cost.delta': {
    ...ofCosts,
    help: 'Estimated minus actual cost of the operations that were measured.',
    value: (_durationMs, request) => standardValues['cost.delta'](request, undefined),
  },
  'http.client.request.duration': {
    ...ofSubrequests,
    ...durations,
    help: 'Time for a request to a subgraph, from sending it to the end of its response, in seconds.',
  },
  'http.client.request.body.size': {
    ...ofSubrequests,
    ...sizes,
    help: 'Length of the bodies of requests to subgraphs, in bytes.',
    value: (_durationMs, _request, subgraph) => subgraph?.requestBytes,
  },
  'http.client.response.body.size': {
    ...ofSubrequests,
    ...sizes,
    help: 'Length of the decoded bodies of responses of subgraphs, in bytes.',
    value: (_durationMs, _request, subgraph) => subgraph?.responseBytes,
  },
};

/** True where the file asks for a known metric without attributes of its own. */
function isAsItIs(instrument: Instrument): boolean {
  return instrument.kind === 'standard' && instrument.isOn && instrument.attributes === undefined;
}

/** Undefined for a known metric that is off, or that the gateway has as it is. */
function declarationOf(name: string, instrument: Instrument): Declaration | undefined {
  if (instrument.kind === 'custom') {
    return customMetric(name, instrument);
  }
  const known = knownMetrics[name];
  return known === undefined || !instrument.isOn || (known.isOwn && isAsItIs(instrument))
    ? undefined
    : {
        ...known,
        name,
        type: 'histogram',
        labels: compileAttributes(instrument.attributes ?? new Map(), known.labels),
      };
}

function customMetric(
  name: string,
  { type, value, unit, description, attributes, condition }: CustomInstrument,
): Declaration {
  const test = condition === undefined ? () => true : compileCondition(condition);
  const perMillisecond = durationUnits[unit] ?? 0.001;
  const select: AtEnd<unknown> =
    value === 'duration'
      ? (durationMs) => durationMs * perMillisecond
      : value === 'unit'
        ? () => 1
        : selected(compileSelector(value));
  return {
    name,
    unit,
    help: description || `The metric ${name}.`,
    type,
    buckets:
      value === 'duration'
        ? durationBuckets.map((seconds) => seconds * 1000 * perMillisecond)
        : customBuckets,
    value: (durationMs, request, subgraph) =>
      test(request, subgraph) ? select(durationMs, request, subgraph) : undefined,
    labels: compileAttributes(attributes),
  };
}

function selected(select: CompiledAttribute['select']): AtEnd<unknown> {
  return (_durationMs, request, subgraph) => select(request, subgraph);
}

/** Of a unit in a millisecond. */
const durationUnits: Readonly<Record<string, number>> = { s: 0.001, ms: 1, us: 1000, ns: 1_000_000 };
/** OpenTelemetry’s default for histograms. */
const customBuckets = [0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10_000];

/** The most series of one metric: labels may hold what clients send. Further ones become one series. */
const maxSeries = 500;
const maxLabelLength = 200;
const otherLabel = '(others)';

function createMeasure(
  { name, unit, help, type, buckets, value, labels }: Declaration,
  { registry }: Metrics,
  onFault: (fault: string) => void,
): Measure {
  const exported = prometheusNameOf({ name, unit }, type === 'counter');
  const labelNames = labels.map((label) => plainName(label.name));
  const twice = labelNames.find((label, index) => labelNames.indexOf(label) !== index || label === 'le');
  if (registry.getSingleMetric(exported) !== undefined) {
    onFault(`: the name ${exported} is in use; choose another`);
    return () => {};
  }
  if (twice !== undefined) {
    onFault(`.attributes: the label ${twice} is in use; choose another name`);
    return () => {};
  }
  const otlpName = {
    name,
    unit,
    attributes: Object.fromEntries(labels.map((label) => [plainName(label.name), label.name])),
  };
  const described = { name: exported, help, labelNames };
  let open: (named: Readonly<Record<string, string>>) => HistogramSeries;
  if (type === 'counter') {
    const counter = new Counter({ ...described, registers: [] });
    registerMetric(registry, counter, otlpName);
    open = (named) => {
      const count = counter.labels(named);
      return { observe: (added) => count.inc(added) };
    };
  } else {
    const histogram = createHistogram({ ...described, registry, buckets, otlpName });
    open = (named) => histogram.series(named);
  }
  const openSeries = (values: readonly string[]): HistogramSeries =>
    open(Object.fromEntries(labelNames.map((label, index) => [label, values[index] ?? ''])));
  const series = new Map<string, HistogramSeries>();
  let others: HistogramSeries | undefined;
  const seriesOf = (request: RequestFacts, subgraph: SubgraphFacts | undefined): HistogramSeries => {
    const values = labels.map(({ select }) =>
      String(select(request, subgraph) ?? '').slice(0, maxLabelLength),
    );
    const key = values.join('\n');
    let found = series.get(key);
    if (found === undefined && series.size < maxSeries) {
      found = openSeries(values);
      series.set(key, found);
    }
    return found ?? (others ??= openSeries(labelNames.map(() => otherLabel)));
  };
  return (durationMs, request, subgraph) => {
    const measured = value(durationMs, request, subgraph);
    const number = typeof measured === 'string' && measured.trim() !== '' ? Number(measured) : measured;
    if (typeof number === 'number' && Number.isFinite(number) && (type === 'histogram' || number >= 0)) {
      seriesOf(request, subgraph).observe(number);
    }
  };
}
