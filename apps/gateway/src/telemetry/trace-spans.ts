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
  const add = (own: Own, parentSpanId: string | undefined, spanId = newSpanId()): string => {
    const described =
      facts === undefined || describe === undefined ? own : describeSpan(own, facts, describe);
    spans.push({ ...described, traceId: trace.traceId, spanId, parentSpanId });
    return spanId;
  };

  const routerId = addRoot(record, mode, add);
  for (const call of record.coprocessorCalls) {
    const { stage, startMs, spanId, hasFailed } = call;
    const error = hasFailed ? 'INTERNAL_SERVER_ERROR' : undefined;
    const times = { startMs, endMs: call.endMs ?? record.endMs };
    const attributes = { ...calledServer(call.url), 'coprocessor.stage': stage, 'error.type': error };
    add({ name: 'http_request', kind: 'client', ...times, attributes, error }, routerId, spanId);
  }
  const { identifiedMs, compiledMs, admittedMs, plannedMs, endMs } = record;
  const executedMs = executionEndMs(record);
  if (identifiedMs === undefined) {
    return spans;
  }
  const error = failureIn(record);
  const supergraphId = add({ ...supergraphSpan(record, identifiedMs, executedMs ?? endMs), error }, routerId);
  add(internal('parse_query', identifiedMs, compiledMs ?? endMs), supergraphId);
  if (admittedMs === undefined) {
    return spans;
  }
  add(internal('query_planning', admittedMs, plannedMs ?? executedMs ?? endMs), supergraphId);
  const execution = internal('execution', plannedMs ?? admittedMs, executedMs ?? endMs);
  const executionId = add({ ...execution, error }, supergraphId);
  const { subscription } = record;
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
  const subscriptionId = add({ ...internal('subscription', openedMs, requestEndMs), attributes }, routerId);
  for (const { startMs, endMs, errorCount } of events) {
    const own = { ...internal('subscription_event', startMs, endMs) };
    add({ ...own, attributes: { 'meridian.errors': errorCount } }, subscriptionId);
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

type Add = (own: Own, parentSpanId: string | undefined, spanId?: string) => string;

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
  if (mode === 'spec_compliant') {
    const attributes = {
      ...about,
      'http.response.status_code': status,
      'error.type': requestError?.code ?? error,
    };
    return add(
      { name: 'router', kind: 'server', ...times, attributes, error, stage: 'router' },
      trace.parentSpanId,
      trace.spanId,
    );
  }
  const attributes = { ...about, 'http.method': method, 'http.status': status };
  add({ name: 'request', kind: 'server', ...times, attributes, error }, trace.parentSpanId, trace.spanId);
  return add(
    { ...internal('router', startMs, endMs), attributes: { 'http.method': method }, stage: 'router' },
    trace.spanId,
  );
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

/** A subscription is executed once it is open: it may last for days. Undefined where a request ended before. */
function executionEndMs({ executedMs, subscription }: RequestRecord): number | undefined {
  return executedMs ?? subscription?.openedMs;
}

function supergraphSpan({ operation, cost }: RequestRecord, startMs: number, endMs: number): Own {
  return {
    ...internal('supergraph', startMs, endMs),
    stage: 'supergraph',
    attributes: {
      'graphql.operation.name': operation?.name,
      'graphql.operation.type': operation?.type,
      'cost.estimated': cost,
    },
  };
}

function addFetch(
  fetch: RecordedFetch,
  requestEndMs: number,
  mode: SpanMode,
  executionId: string,
  add: Add,
): void {
  const { subgraph, startMs, endMs = requestEndMs, errorCount, spanId, server } = fetch;
  const error = failureOf(fetch);
  const times = { startMs, endMs };
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
      'meridian.subgraph_errors': errorCount,
      'cache.status': fetch.stored && cacheStatus(fetch.stored),
      'error.type': error,
    };
    const own = { name: 'subgraph', kind: 'client', ...times, attributes, error } as const;
    add({ ...own, stage: 'subgraph', fetch: fetch.facts }, executionId, spanId);
    return;
  }
  const attributes: Attributes = { 'apollo.subgraph.name': subgraph };
  const fetchId = add({ ...internal('fetch', startMs, endMs), attributes, error }, executionId);
  const subgraphId = add(
    {
      ...internal('subgraph', startMs, endMs),
      attributes: {
        ...attributes,
        'graphql.operation.name': fetch.operationName,
        'cache.status': fetch.stored && cacheStatus(fetch.stored),
      },
      error,
      stage: 'subgraph',
      fetch: fetch.facts,
    },
    fetchId,
  );
  add(
    {
      name: 'subgraph_request',
      kind: 'client',
      ...times,
      attributes: { ...requested, ...attributes },
      error,
    },
    subgraphId,
    spanId,
  );
}

/** The error code of a failed fetch: a message may name hosts. */
function failureOf({ failure, endMs }: RecordedFetch): string | undefined {
  if (failure instanceof SubgraphFailure) {
    return failure.code;
  }
  return failure === undefined && endMs !== undefined ? undefined : 'CANCELLED';
}

function internal(name: string, startMs: number, endMs: number): Own {
  return { name, kind: 'internal', startMs, endMs, attributes: {} };
}
