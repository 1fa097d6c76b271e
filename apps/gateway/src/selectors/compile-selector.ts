// Long because it is a list: the value of each selector.
import { createHash } from 'node:crypto';
import process from 'node:process';

import { nodeHttp } from '@meridian/http';
import type { BodyPath, Scalar, Selector, SelectorName } from '@meridian/router-config';
import { printable } from '@meridian/settings/values';

import { parseCacheControl } from '../http/parse-cache-control.ts';
import { measureOperation } from '../operation/operation-size.ts';
import { baggageOf } from './baggage.ts';
import { cacheStatus } from './cache-status.ts';
import { contextValue } from './context-values.ts';
import type { RequestFacts, SubgraphFacts } from './request-facts.ts';
import { selectPath } from './select-path.ts';

/** A value that an attribute can have. */
export type SelectedValue = string | number | boolean;

/** Evaluates a selector; undefined where it has no value. Never throws, whatever the request is. */
export type Select = (
  request: RequestFacts,
  subgraph: SubgraphFacts | undefined,
) => SelectedValue | undefined;

/** Longer texts are cut: clients and subgraphs must not decide how much memory is used. */
const maxTextLength = 1024;

/** Compiles a selector, once for all requests. */
export function compileSelector({ name, argument, fallback }: Selector, env: Env = process.env): Select {
  const read = readerOf(name, argument, env);
  return (request, subgraph) => asValue(read(request, subgraph)) ?? fallback;
}

/** The environment of the process. */
export type Env = Readonly<Record<string, string | undefined>>;

/** A value of any kind. */
type Read = (request: RequestFacts, subgraph: SubgraphFacts | undefined) => unknown;

/** Reads by the argument of a selector. */
type ReadOf = (argument: never, env: Env) => Read;

/** The readers of the selectors. */
const readers: Readonly<Record<SelectorName, ReadOf>> = {
  static: (value: Scalar) => constant(value),
  env: (name: string, env) => constant(env[name]),
  baggage: (name: string) => (request) => baggageOf(request.headers, name),
  request_context: (name: string) => (request) => contextValue(request, name),
  response_context: (name: string) => (request) => contextValue(request, name),
  error: () => (request, subgraph) => (subgraph === undefined ? request.failure : subgraph.failure),

  trace_id: (format: string) => (request) => traceIdAs(request.traceId, format),
  request_method: () => (request) => request.method,
  request_header: headerOfClient,
  operation_name: nameOfOperation,
  response_status: (form: string) => (request) => statusAs(request.status, form),
  request_duration: (unit: string) => (request) =>
    (performance.now() - request.startedMs) * (ownMember(unitsPerMillisecond, unit) ?? 1),
  response_header: (name: string) => (request) => responseField(request, name),
  response_errors: (path: BodyPath) => (request) => selectPath(request.errors, path),
  on_graphql_error: () => (request) => request.errors.length > 0,

  operation_kind: kindOfOperation,
  query: (form: string) => (request) => queryAs(request, form),
  query_variable: variableOfOperation,
  response_data: (path: BodyPath) => (request) => selectPath(request.data, path),
  cost: (form: string) => (request) => costAs(request, form),
  is_primary_response: constantTrue,

  subgraph_name: () => (_request, subgraph) => subgraph?.subgraph,
  subgraph_operation_name: (form: string) => (_request, subgraph) => nameAs(subgraph?.operationName, form),
  subgraph_operation_kind: () => (_request, subgraph) => subgraph?.operationKind,
  subgraph_query: () => (_request, subgraph) => subgraph?.query,
  subgraph_query_variable: (name: string) => (_request, subgraph) => ownMember(subgraph?.variables, name),
  subgraph_request_header: (name: string) => (_request, subgraph) => ownMember(subgraph?.headers, name),
  supergraph_operation_name: nameOfOperation,
  supergraph_operation_kind: kindOfOperation,
  supergraph_query: () => (request) => request.operationText,
  supergraph_query_variable: variableOfOperation,
  supergraph_request_header: headerOfClient,
  subgraph_response_status: (form: string) => (_request, subgraph) => statusAs(subgraph?.status, form),
  subgraph_response_header: (name: string) => (_request, subgraph) => fieldOf(subgraph?.responseFields, name),
  subgraph_response_data: (path: BodyPath) => (_request, subgraph) => selectPath(subgraph?.data, path),
  subgraph_response_errors: (path: BodyPath) => (_request, subgraph) => selectPath(subgraph?.errors, path),
  subgraph_on_graphql_error: () => (_request, subgraph) => (subgraph?.errors.length ?? 0) > 0,
  response_cache: (found: string) => (_request, subgraph) =>
    found === 'hit' ? subgraph?.stored?.hits : subgraph?.stored?.misses,
  response_cache_status: (form: string) => (_request, subgraph) => {
    const status = subgraph?.stored && cacheStatus(subgraph.stored);
    return form === 'status' || status === undefined ? status : status === form;
  },
  response_cache_control: (form: string) => (_request, subgraph) => controlAs(subgraph?.cacheControl, form),
};

/** Of the `Cache-Control` of a response; undefined for one without. */
function controlAs(field: string | undefined, form: string): SelectedValue | undefined {
  const directives = field === undefined ? undefined : parseCacheControl(field);
  if (directives === undefined || form === 'no_store') {
    return directives?.has('no-store');
  }
  const maxAge = Number(directives.get('s-maxage') ?? directives.get('max-age') ?? Number.NaN);
  return form === 'scope'
    ? directives.has('private')
      ? 'private'
      : 'public'
    : Number.isInteger(maxAge)
      ? maxAge
      : undefined;
}

function readerOf(name: SelectorName, argument: Selector['argument'], env: Env): Read {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- router-config has read the argument that this name takes
  return readers[name](argument as never, env);
}

function constant(value: unknown): Read {
  return () => value;
}

function constantTrue(): Read {
  return constant(true);
}

function headerOfClient(name: string): Read {
  return (request) => fieldText(ownMember(request.headers, name));
}

function nameOfOperation(form: string): Read {
  return (request) => nameAs(request.operationName, form);
}

function kindOfOperation(): Read {
  return (request) => request.operationType;
}

function variableOfOperation(name: string): Read {
  return (request) => ownMember(request.variables, name);
}

function nameAs(name: string | undefined, form: string): string | undefined {
  return name !== undefined && form === 'hash' ? createHash('sha256').update(name).digest('hex') : name;
}

function fieldText(field: string | readonly string[] | undefined): string | undefined {
  return typeof field === 'object' ? field.join(', ') : field;
}

/** The values of all fields with this name. */
function fieldOf(fields: SubgraphFacts['responseFields'] = [], name: string): string | undefined {
  const values = fields.filter(([known]) => known === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}

/** The first field of a response with this name, in lower case. */
function responseField({ response }: RequestFacts, name: string): string | undefined {
  const headers = response?.headers ?? {};
  for (const written in headers) {
    if (written.toLowerCase() === name) {
      return headers[written];
    }
  }
  return undefined;
}

const unitsPerMillisecond: Readonly<Record<string, number>> = {
  seconds: 0.001,
  milliseconds: 1,
  microseconds: 1000,
  nanoseconds: 1_000_000,
};

function statusAs(status: number | undefined, form: string): string | number | undefined {
  return status !== undefined && form === 'reason' ? nodeHttp.STATUS_CODES[status] : status;
}

type Sizes = Readonly<Record<string, number>>;

/** The sizes of operations: one is measured once, however often it runs. */
const measured = new WeakMap<object, Sizes>();

function queryAs({ operation, operationText }: RequestFacts, form: string): string | number | undefined {
  if (form === 'string' || operation === undefined) {
    return form === 'string' ? operationText : undefined;
  }
  const { document, definition } = operation;
  let sizes = measured.get(document);
  if (sizes === undefined) {
    // Without a limit, it never throws: a deeper operation than the limit was rejected.
    const { rootFields, ...others } = measureOperation(document, definition, Number.POSITIVE_INFINITY);
    sizes = { aliases: others.aliases, depth: others.depth, height: others.height, root_fields: rootFields };
    measured.set(document, sizes);
  }
  return ownMember(sizes, form);
}

function costAs({ costEstimated, costActual, costResult }: RequestFacts, form: string): unknown {
  switch (form) {
    case 'estimated':
      return costEstimated;
    case 'actual':
      return costActual;
    case 'delta':
      return costEstimated === undefined || costActual === undefined ? undefined : costEstimated - costActual;
    default:
      return costResult;
  }
}

export function traceIdAs(traceId: string, format: string): string {
  switch (format) {
    case 'datadog':
      return String(BigInt(`0x${traceId.slice(16)}`));
    case 'decimal':
      return String(BigInt(`0x${traceId}`));
    case 'uuid':
      return traceId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    default:
      return traceId;
  }
}

function ownMember<Value>(
  members: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Numbers and truth values as they are, texts in one printable line, other values as JSON. */
function asValue(value: unknown): SelectedValue | undefined {
  if (typeof value === 'string') {
    return boundedText(value);
  }
  if (typeof value === 'object' && value !== null) {
    return boundedText(JSON.stringify(value));
  }
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
    ? value
    : undefined;
}

/** A text on one line, of bounded length. */
export function boundedText(text: string): string {
  return printable(text.slice(0, maxTextLength));
}
