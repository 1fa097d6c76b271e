// Long because it is one thing: the metrics that the file names, from their declaration to their samples.
import type { CustomInstrument, Instrument, RouterConfig, Stage } from '@meridian/router-config';
import { RouterConfigError } from '@meridian/router-config';
import type { HistogramSeries, Metrics, OtlpName } from '@meridian/telemetry';
import {
  createHistogram,
  otlpNameOf,
  plainName,
  prometheusNameOf,
  registerMetric,
} from '@meridian/telemetry';
import { Counter } from 'prom-client';

import { compileCondition } from '../../selectors/compile-condition.ts';
import type { Test } from '../../selectors/compile-condition.ts';
import type { Select } from '../../selectors/compile-selector.ts';
import { compileSelector } from '../../selectors/compile-selector.ts';
import type { RequestFacts, SubgraphFacts } from '../../selectors/request-facts.ts';
import type { CompiledAttribute } from './compile-attributes.ts';
import { compileAttributes } from './compile-attributes.ts';
import { standardValues } from './standard-values.ts';

type Settings = RouterConfig['telemetry']['instrumentation']['instruments'];

/** Takes one measurement at the end of a stage. */
export type Measure = (
  durationMs: number,
  request: RequestFacts,
  subgraph: SubgraphFacts | undefined,
) => void;

const stages = ['router', 'supergraph', 'subgraph'] as const;
const place = 'telemetry.instrumentation.instruments';

/**
 * The most series of one metric: labels may hold what clients send. Further ones become one series.
 */
const maxSeries = 500;
const maxLabelLength = 200;
const otherLabel = '(others)';

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
  for (const [replaced, { stage }] of Object.entries(knownMetrics)) {
    const instrument = settings[stage].get(replaced);
    const isOff = settings.default_requirement_level === 'none' && instrument === undefined;
    if (isOff) {
      removeKnown(replaced, metrics);
    }
  }
  for (const stage of stages) {
    for (const [name, instrument] of settings[stage]) {
      const measure = createInstrument(name, instrument, { stage, metrics, faults });
      if (measure !== undefined) {
        const isOfHead = name === 'http.server.request.duration' && instrument.kind !== 'custom';
        measures[isOfHead ? 'head' : stage].push(measure);
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

interface KnownMetric {
  readonly stage: Stage;
  /** The gateway's own metric; absent where it has none unless the file names it. */
  readonly own?: string;
  readonly exported: string;
  readonly help: string;
  readonly buckets: readonly number[];
  readonly value: (durationMs: number, request: RequestFacts, subgraph: SubgraphFacts | undefined) => unknown;
  readonly labels: readonly CompiledAttribute[];
}

const durations = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const sizes = [100, 1000, 10_000, 100_000, 1_000_000, 10_000_000];
const costs = [0, 10, 100, 1000, 10_000];

const ofRequest: readonly CompiledAttribute[] = [
  { name: 'http.route', select: ({ route = 'unmatched' }) => route },
  { name: 'http.request.method', select: ({ method }) => method },
  { name: 'http.response.status_code', select: ({ status }) => status },
];
const ofSubrequest: readonly CompiledAttribute[] = [
  { name: 'subgraph.name', select: standardValues['subgraph.name'] },
  { name: 'http.response.status_code', select: (_request, subgraph) => subgraph?.status },
  { name: 'error.type', select: (_request, subgraph) => subgraph?.failure },
];
const ofCost: readonly CompiledAttribute[] = [{ name: 'cost.result', select: standardValues['cost.result'] }];

/** The metrics that the file may name without saying more. */
const knownMetrics: Readonly<Record<string, KnownMetric>> = {
  'http.server.request.duration': {
    stage: 'router',
    own: 'http_server_request_duration_seconds',
    exported: 'http_server_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response, in seconds.',
    buckets: durations,
    value: (durationMs) => durationMs / 1000,
    labels: ofRequest,
  },
  'http.server.active_requests': {
    stage: 'router',
    own: 'http_server_active_requests',
    exported: 'http_server_active_requests',
    help: '',
    buckets: [],
    value: () => undefined,
    labels: [],
  },
  'http.server.request.body.size': {
    stage: 'router',
    exported: 'http_server_request_body_size_bytes',
    help: 'Length of the bodies of requests, in bytes.',
    buckets: sizes,
    value: (_durationMs, request) => standardValues['http.request.body.size'](request, undefined),
    labels: ofRequest,
  },
  'http.server.response.body.size': {
    stage: 'router',
    exported: 'http_server_response_body_size_bytes',
    help: 'Length of the bodies of responses, in bytes.',
    buckets: sizes,
    value: (_durationMs, request) => standardValues['http.response.body.size'](request, undefined),
    labels: ofRequest,
  },
  'cost.estimated': {
    stage: 'supergraph',
    own: 'cost_estimated',
    exported: 'cost_estimated',
    help: 'Estimated cost of operations.',
    buckets: costs,
    value: (_durationMs, { costEstimated }) => costEstimated,
    labels: ofCost,
  },
  'cost.actual': {
    stage: 'supergraph',
    own: 'cost_actual',
    exported: 'cost_actual',
    help: 'Actual cost of the operations that were measured.',
    buckets: costs,
    value: (_durationMs, { costActual }) => costActual,
    labels: ofCost,
  },
  'cost.delta': {
    stage: 'supergraph',
    own: 'cost_delta',
    exported: 'cost_delta',
    help: 'Estimated minus actual cost of the operations that were measured.',
    buckets: costs,
    value: (_durationMs, request) => standardValues['cost.delta'](request, undefined),
    labels: ofCost,
  },
  'http.client.request.duration': {
    stage: 'subgraph',
    own: 'http_client_request_duration_seconds',
    exported: 'http_client_request_duration_seconds',
    help: 'Time for a request to a subgraph, from sending it to the end of its response, in seconds.',
    buckets: durations,
    value: (durationMs) => durationMs / 1000,
    labels: ofSubrequest,
  },
  'http.client.request.body.size': {
    stage: 'subgraph',
    exported: 'http_client_request_body_size_bytes',
    help: 'Length of the bodies of requests to subgraphs, in bytes.',
    buckets: sizes,
    value: (_durationMs, _request, subgraph) => subgraph?.requestBytes,
    labels: ofSubrequest,
  },
  'http.client.response.body.size': {
    stage: 'subgraph',
    exported: 'http_client_response_body_size_bytes',
    help: 'Length of the decoded bodies of responses of subgraphs, in bytes.',
    buckets: sizes,
    value: (_durationMs, _request, subgraph) => subgraph?.responseBytes,
    labels: ofSubrequest,
  },
};

/** Hides the gateway's own metric. */
function removeKnown(name: string, { registry }: Metrics): void {
  const own = knownMetrics[name]?.own;
  if (own !== undefined) {
    registry.removeSingleMetric(own);
  }
}

interface Surroundings {
  readonly stage: Stage;
  readonly metrics: Metrics;
  readonly faults: string[];
}

function createInstrument(
  name: string,
  instrument: Instrument,
  { stage, metrics, faults }: Surroundings,
): Measure | undefined {
  const known = knownMetrics[name];
  if (instrument.kind === 'custom') {
    return createCustom(name, instrument, { stage, metrics, faults });
  }
  const { isOn, attributes } = instrument;
  if (known === undefined || (isOn && attributes === undefined && known.own !== undefined)) {
    return undefined;
  }
  removeKnown(name, metrics);
  if (!isOn) {
    return undefined;
  }
  const { exported, help, buckets, value, labels } = known;
  const compiled = compileAttributes(attributes ?? new Map(), labels);
  const record = createRecorder(
    { exported, help, buckets, type: 'histogram', labels: compiled },
    { at: `${place}.${stage}.${name}`, metrics, faults },
  );
  return (durationMs, request, subgraph) => record(value(durationMs, request, subgraph), request, subgraph);
}

function createCustom(
  name: string,
  { type, value, unit, description, attributes, condition }: CustomInstrument,
  { stage, metrics, faults }: Surroundings,
): Measure {
  const test: Test | undefined = condition === undefined ? undefined : compileCondition(condition);
  const select: Select | undefined = typeof value === 'string' ? undefined : compileSelector(value);
  const perMillisecond = durationUnits[unit] ?? 0.001;
  const record = createRecorder(
    {
      exported: prometheusNameOf({ name, unit }, type === 'counter'),
      otlpName: { name, unit },
      help: description || `The metric ${name}.`,
      buckets:
        value === 'duration' ? durations.map((seconds) => seconds * 1000 * perMillisecond) : customBuckets,
      type,
      labels: compileAttributes(attributes),
    },
    { at: `${place}.${stage}.${name}`, metrics, faults },
  );
  return (durationMs, request, subgraph) => {
    if (test === undefined || test(request, subgraph)) {
      const measured =
        select === undefined
          ? value === 'duration'
            ? durationMs * perMillisecond
            : 1
          : select(request, subgraph);
      record(measured, request, subgraph);
    }
  };
}

/** Of a unit in a millisecond. */
const durationUnits: Readonly<Record<string, number>> = { s: 0.001, ms: 1, us: 1000, ns: 1_000_000 };
/** OpenTelemetry’s default for histograms. */
const customBuckets = [0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10_000];

interface RecorderOptions {
  readonly exported: string;
  /** Default: the name that `exported` gives. */
  readonly otlpName?: OtlpName;
  readonly help: string;
  readonly buckets: readonly number[];
  readonly type: CustomInstrument['type'];
  readonly labels: readonly CompiledAttribute[];
}

/** Records a number; ignores any other value, and one below 0 for a counter. */
type RecordNumber = (value: unknown, request: RequestFacts, subgraph: SubgraphFacts | undefined) => void;

function createRecorder(
  { exported, otlpName: ownName, help, buckets, type, labels }: RecorderOptions,
  { at, metrics: { registry }, faults }: { readonly at: string } & Omit<Surroundings, 'stage'>,
): RecordNumber {
  const labelNames = labels.map(({ name }) => plainName(name));
  if (registry.getSingleMetric(exported) !== undefined) {
    faults.push(`${at}: the name ${exported} is in use; choose another`);
    return () => {};
  }
  const twice = labelNames.find((name, index) => labelNames.indexOf(name) !== index || name === 'le');
  if (twice !== undefined) {
    faults.push(`${at}.attributes: the label ${twice} is in use; choose another name`);
    return () => {};
  }
  const otlpName = {
    ...(ownName ?? otlpNameOf(exported)),
    attributes: Object.fromEntries(labels.map(({ name }) => [plainName(name), name])),
  };
  const counter =
    type === 'counter' ? new Counter({ name: exported, help, labelNames, registers: [] }) : undefined;
  if (counter !== undefined) {
    registerMetric(registry, counter, otlpName);
  }
  const histogram =
    type === 'histogram'
      ? createHistogram({ registry, name: exported, help, labelNames, buckets, otlpName })
      : undefined;
  const openSeries = (values: readonly string[]): HistogramSeries => {
    const named = Object.fromEntries(labelNames.map((name, index) => [name, values[index] ?? '']));
    const count = counter?.labels(named);
    return histogram?.series(named) ?? { observe: (value) => count?.inc(value) };
  };
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
  return (value, request, subgraph) => {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && Number.isFinite(number) && (type === 'histogram' || number >= 0)) {
      seriesOf(request, subgraph).observe(number);
    }
  };
}
