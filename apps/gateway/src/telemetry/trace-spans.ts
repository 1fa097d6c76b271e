import { SubgraphFailure } from '@meridian/executor';
import type { Stage } from '@meridian/router-config';
import type { Span } from '@meridian/telemetry';
import { newSpanId } from '@meridian/telemetry';

import { cacheStatus } from '../selectors/cache-status.ts';
import type { RequestFacts, SubgraphFacts } from '../selectors/request-facts.ts';
import type { RecordedFetch, RecordedSubscription, RequestRecord } from './request-recorder.ts';
import type { SpanMode } from '../config/tracing-config.ts';
import type { SpanDescriptions } from './custom/span-attributes.ts';

type Attributes = Span['attributes'];

/** The content of a span, apart from its place in the trace. */
interface Own extends Pick<Span, 'name' | 'kind' | 'startMs' | 'endMs' | 'attributes' | 'error'> {
  /** The stage whose attributes the file may name. */
  readonly stage?: Stage;
  /** Of a subgraph fetch. */
  readonly fetch?: SubgraphFacts | undefined;
}

type Add = (own: Own, parentSpanId: string | undefined, spanId?: string) => string;
type Times = Pick<Span, 'startMs' | 'endMs'>;

function spanOf(name: string, kind: Span['kind'], { startMs, endMs }: Times, more: Partial<Own> = {}): Own {
  return { name, kind, startMs, endMs, attributes: {}, ...more };
}

/**
 * The spans of a request, with Apollo Router's names: `router` contains `supergraph`, which contains `parse_query`,
 * `query_planning` and `execution`, which contains a `subgraph` for each subrequest. `router` also contains an
 * `http_request` for each call to a coprocessor, and the `subscription` that was opened, which contains a
 * `subscription_event` for each of its first events, and their subrequests.
 *
 * Spec: Limits, `telemetry.instrumentation.spans.mode`.
 */
export function traceSpans(
  record: RequestRecord,
  mode: SpanMode,
  describe?: SpanDescriptions,
): readonly Span[] {
  const { trace, facts } = record;
  const spans: Span[] = [];
  const add: Add = (own, parentSpanId, spanId = newSpanId()) => {
    const described =
      facts === undefined || describe === undefined ? own : describeSpan(own, facts, describe);
    spans.push({ ...described, traceId: trace.traceId, spanId, parentSpanId });
    return spanId;
  };

  const routerId = addRoot(record, mode, add);
  for (const { stage, url, startMs, endMs, spanId, hasFailed } of record.coprocessorCalls) {
    const error = hasFailed ? 'INTERNAL_SERVER_ERROR' : undefined;
    const attributes = { ...calledServer(url), 'coprocessor.stage': stage, 'error.type': error };
    const times = { startMs, endMs: endMs ?? record.endMs };
    add(spanOf('http_request', 'client', times, { attributes, error }), routerId, spanId);
  }
  const { identifiedMs, compiledMs, admittedMs, plannedMs, endMs, operation, subscription } = record;
  if (identifiedMs === undefined) {
    return spans;
  }
  // A subscription is executed once it is open: it may last for days. A request may end before.
  const executedMs = record.executedMs ?? subscription?.openedMs ?? endMs;
  const error = failureIn(record);
  const attributes: Attributes = {
    'graphql.operation.name': operation?.name,
    'graphql.operation.type': operation?.type,
    'cost.estimated': record.cost,
  };
  const supergraph = internal('supergraph', identifiedMs, executedMs, {
    stage: 'supergraph',
    attributes,
    error,
  });
  const supergraphId = add(supergraph, routerId);
  add(internal('parse_query', identifiedMs, compiledMs ?? endMs), supergraphId);
  if (admittedMs === undefined) {
    return spans;
  }
  add(internal('query_planning', admittedMs, plannedMs ?? executedMs), supergraphId);
  const executionId = add(
    internal('execution', plannedMs ?? admittedMs, executedMs, { error }),
    supergraphId,
  );
  const subscriptionId = subscription && addSubscription(subscription, endMs, routerId, add);
  for (const fetch of record.fetches) {
    const isOfEvent = subscription !== undefined && fetch.startMs >= subscription.openedMs;
    addFetch(fetch, endMs, mode, (isOfEvent ? subscriptionId : undefined) ?? executionId, add);
  }
  return spans;
}

/** Returns the id of its span. */
function addSubscription(
  { openedMs, endReason, eventCount, events }: RecordedSubscription,
  requestEndMs: number,
  routerId: string,
  add: Add,
): string {
  const attributes: Attributes = {
    'apollo.subscription.end_reason': endReason,
    'meridian.subscription.events': eventCount,
  };
  const subscriptionId = add(internal('subscription', openedMs, requestEndMs, { attributes }), routerId);
  for (const { startMs, endMs, errorCount } of events) {
    const more = { attributes: { 'meridian.errors': errorCount } };
    add(internal('subscription_event', startMs, endMs, more), subscriptionId);
  }
  return subscriptionId;
}

/** Without credentials and query, which may be secret. */
function calledServer(url: string): Attributes {
  const { protocol, hostname, port, host, pathname } = new URL(url);
  return {
    'http.request.method': 'POST',
    'server.address': hostname === '' ? undefined : hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : protocol === 'http:' ? 80 : undefined),
    'url.full': `${protocol}//${host}${pathname}`,
  };
}

/** Applies the attributes that the file names. */
function describeSpan({ stage, fetch, ...own }: Own, facts: RequestFacts, describe: SpanDescriptions): Own {
  return stage === undefined || (stage === 'subgraph' && fetch === undefined)
    ? own
    : describe[stage](own, facts, fetch);
}

/** Returns the id of the enclosing span. */
function addRoot(record: RequestRecord, mode: SpanMode, add: Add): string {
  const { method, route, status, startMs, endMs, trace, client, operation, requestError } = record;
  const about: Attributes = {
    'http.request.method': method,
    'http.route': route,
    'graphql.operation.name': operation?.name,
    'graphql.operation.type': operation?.type,
    'client.name': client.name === '' ? undefined : client.name,
    'client.version': client.version === '' ? undefined : client.version,
    'meridian.request_id': record.requestId,
    'meridian.outcome': record.outcome ?? 'success',
    'meridian.error_codes': record.errorCodes.length === 0 ? undefined : record.errorCodes.join(','),
  };
  const error = failureIn(record);
  const times = { startMs, endMs };
  const parent = trace.parentSpanId;
  if (mode === 'spec_compliant') {
    const attributes = {
      ...about,
      'http.response.status_code': status,
      'error.type': requestError?.code ?? error,
    };
    return add(
      spanOf('router', 'server', times, { attributes, error, stage: 'router' }),
      parent,
      trace.spanId,
    );
  }
  const attributes = { ...about, 'http.method': method, 'http.status': status };
  add(spanOf('request', 'server', times, { attributes, error }), parent, trace.spanId);
  const own = { attributes: { 'http.method': method }, stage: 'router' } as const;
  return add(spanOf('router', 'internal', times, own), trace.spanId);
}

/**
 * The code of the error by which a request failed, whatever its HTTP status. Undefined for a success, and for a fault of
 * the client, which is not an error of the server: a rejected request, a field that its caller may not see.
 */
function failureIn({ outcome, status, requestError, errors, errorCodes }: RequestRecord): string | undefined {
  const isFailed =
    status >= 500 ||
    (outcome === 'error' && requestError !== undefined) ||
    ((outcome === 'error' || outcome === 'partial') && errors.some(({ kind }) => kind !== 'unauthorized'));
  return isFailed
    ? (errorCodes.find((code) => code !== 'UNAUTHORIZED_FIELD_OR_TYPE') ?? String(status))
    : undefined;
}

function addFetch(
  fetch: RecordedFetch,
  requestEndMs: number,
  mode: SpanMode,
  executionId: string,
  add: Add,
): void {
  const { subgraph, startMs, endMs = requestEndMs, spanId, server } = fetch;
  const error = failureOf(fetch);
  const times = { startMs, endMs };
  const ofStage = { error, stage: 'subgraph', fetch: fetch.facts } as const;
  const cached = { 'cache.status': fetch.stored && cacheStatus(fetch.stored) };
  const requested: Attributes = {
    'http.request.method': 'POST',
    'server.address': server?.address,
    'server.port': server?.port,
    'url.full': server?.url,
  };
  if (mode === 'spec_compliant') {
    const attributes: Attributes = {
      ...requested,
      'subgraph.name': subgraph,
      'subgraph.graphql.operation.name': fetch.operationName,
      'subgraph.graphql.operation.type': fetch.operationKind,
      'meridian.entities': fetch.entityCount,
      'meridian.subgraph_errors': fetch.errorCount,
      ...cached,
      'error.type': error,
    };
    add(spanOf('subgraph', 'client', times, { ...ofStage, attributes }), executionId, spanId);
    return;
  }
  const attributes: Attributes = { 'apollo.subgraph.name': subgraph };
  const fetchId = add(spanOf('fetch', 'internal', times, { attributes, error }), executionId);
  const ofOperation = { ...attributes, 'graphql.operation.name': fetch.operationName, ...cached };
  const own = { ...ofStage, attributes: ofOperation };
  const subgraphId = add(spanOf('subgraph', 'internal', times, own), fetchId);
  const sent = { attributes: { ...requested, ...attributes }, error };
  add(spanOf('subgraph_request', 'client', times, sent), subgraphId, spanId);
}

/** The error code of a failed fetch: a message may name hosts. */
function failureOf({ failure, endMs }: RecordedFetch): string | undefined {
  if (failure instanceof SubgraphFailure) {
    return failure.code;
  }
  return failure === undefined && endMs !== undefined ? undefined : 'CANCELLED';
}

function internal(name: string, startMs: number, endMs: number, more?: Partial<Own>): Own {
  return spanOf(name, 'internal', { startMs, endMs }, more);
}
