import { isIPv6 } from 'node:net';

import type { standardAttributes, Stage } from '@meridian/router-config';
import { targetOf } from '@meridian/http';

import { baggageField } from '../../selectors/baggage.ts';
import type { SelectedValue } from '../../selectors/compile-selector.ts';
import { boundedText, traceIdAs } from '../../selectors/compile-selector.ts';
import type { RequestFacts, SubgraphFacts } from '../../selectors/request-facts.ts';

type Value = (request: RequestFacts, subgraph: SubgraphFacts | undefined) => SelectedValue | undefined;
type Names = (typeof standardAttributes)[Stage] extends infer Of
  ? Of extends object
    ? keyof Of
    : never
  : never;

/** The values of OpenTelemetry's and Apollo Router's attributes. */
export const standardValues: Readonly<Record<Names, Value>> = {
  'dd.trace_id': ({ traceId }) => traceIdAs(traceId, 'datadog'),
  trace_id: ({ traceId }) => traceId,
  baggage: ({ headers }) => text(baggageField(headers)),
  'error.type': ({ failure, status }) =>
    failure ?? (status !== undefined && status >= 500 ? String(status) : undefined),
  'http.request.body.size': ({ headers }) => size(headers['content-length']),
  'http.request.method': ({ method }) => method,
  'http.response.body.size': ({ response }) => lengthOf(response?.body),
  'http.response.status_code': ({ status }) => status,
  'http.route': ({ route }) => route,
  'network.peer.address': ({ peer }) => peer,
  'network.protocol.name': () => 'http',
  'network.transport': () => 'tcp',
  'network.type': ({ peer }) => (peer === undefined ? undefined : isIPv6(peer) ? 'ipv6' : 'ipv4'),
  'server.address': (request) => text(serverOf(request)?.hostname),
  'server.port': (request) => portOf(request),
  'url.path': (request) => text(targetOf(request).path),
  'url.query': ({ url }) => text(url.includes('?') ? url.slice(url.indexOf('?') + 1) : undefined),
  'url.scheme': ({ isSecure }) => (isSecure ? 'https' : 'http'),
  'user_agent.original': ({ headers }) => text(headers['user-agent']),

  'graphql.document': ({ operationText }) => text(operationText),
  'graphql.operation.name': ({ operationName }) => operationName,
  'graphql.operation.type': ({ operationType }) => operationType,
  'cost.estimated': ({ costEstimated }) => costEstimated,
  'cost.actual': ({ costActual }) => costActual,
  'cost.delta': ({ costEstimated, costActual }) =>
    costEstimated === undefined || costActual === undefined ? undefined : costEstimated - costActual,
  'cost.result': ({ costResult }) => costResult,

  'subgraph.name': (_request, subgraph) => subgraph?.subgraph,
  'subgraph.graphql.document': (_request, subgraph) => text(subgraph?.query),
  'subgraph.graphql.operation.name': (_request, subgraph) => text(subgraph?.operationName),
  'subgraph.graphql.operation.type': (_request, subgraph) => subgraph?.operationKind,
};

export function isStandard(name: string): name is Names {
  return Object.hasOwn(standardValues, name);
}

function text(value: string | undefined): string | undefined {
  return value === undefined ? undefined : boundedText(value);
}

function size(field: string | undefined): number | undefined {
  const bytes = Number(field ?? Number.NaN);
  return Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : undefined;
}

function lengthOf(body: unknown): number | undefined {
  if (typeof body === 'string') {
    return Buffer.byteLength(body);
  }
  return body instanceof Uint8Array ? body.length : undefined;
}

function serverOf({ headers, isSecure }: RequestFacts): URL | undefined {
  const scheme = isSecure ? 'https' : 'http';
  return headers.host === undefined ? undefined : (URL.parse(`${scheme}://${headers.host}`) ?? undefined);
}

function portOf(request: RequestFacts): number | undefined {
  const server = serverOf(request);
  return server === undefined ? undefined : Number(server.port) || (request.isSecure ? 443 : 80);
}
