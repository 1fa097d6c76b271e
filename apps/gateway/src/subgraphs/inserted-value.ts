import type { BodyPath, HeaderContextKey, InsertedHeader } from '@meridian/router-config';
import { claimPrefix, everyMember } from '@meridian/router-config';

import type { GraphqlRequest } from '../operation/graphql-request.ts';
import { clientOf } from '../http/client-of.ts';
import type { Run } from '../operation/run.ts';
import { currentContextName } from '../selectors/context-values.ts';

/** The properties of a run that rules for header fields may read. */
export type HeaderSource = Pick<Run, 'operation' | 'request' | 'identity' | 'stages'>;

/** The value of an inserted header field; undefined where there is none. */
export type InsertedValue = (source: HeaderSource) => string | undefined;

/**
 * Values from elsewhere that Apollo Router accepts, up to a length: a longer one would cost the subgraph its
 * other fields.
 */
const fieldValue = /^[\t\x20-\x7e]{0,8192}$/;

/**
 * Compiles a rule to a function that finds its value. A value that a header field cannot hold counts as absent.
 * Undefined for a rule that never finds a value.
 */
export function insertedValue({
  value,
  from_context: key,
  path,
  default: fallback,
}: InsertedHeader): InsertedValue | undefined {
  if (key !== undefined) {
    const find = key.startsWith('meridian::') ? callerValue(key) : contextValue(key);
    return find === undefined ? undefined : ifSendable(find);
  }
  if (path !== undefined) {
    return ifSendable(({ request }) => textAt(path, request) ?? fallback);
  }
  return () => value;
}

function ifSendable(find: InsertedValue): InsertedValue {
  return (source) => {
    const value = find(source);
    return value !== undefined && fieldValue.test(value) ? value : undefined;
  };
}

/**
 * Properties of a request, by the names of `insert.from_context`; undefined for values that Apollo Router
 * does not insert either.
 */
const contextValues: Readonly<Record<HeaderContextKey, InsertedValue | undefined>> = {
  'apollo::supergraph::operation_name': ({ operation }) => operation.name,
  'apollo::supergraph::operation_kind': ({ operation }) => operation.type,
  'apollo::telemetry::client_name': ({ request }) => clientOf(request.headers).name || undefined,
  'apollo::telemetry::client_version': ({ request }) => clientOf(request.headers).version || undefined,
  'apollo::authentication::jwt_claims': undefined,
  'meridian::tenant_id': ({ identity }) => identity?.tenantId,
  'meridian::subject': ({ identity }) => (identity?.isSubjectDerived ? undefined : identity?.subject),
  'meridian::issuer': ({ identity }) => identity?.issuer,
  'meridian::scope': ({ identity }) => identity && [...identity.scopes].join(' '),
};

function isNamed(key: string): key is HeaderContextKey {
  return Object.hasOwn(contextValues, key);
}

function callerValue(key: string): InsertedValue | undefined {
  if (key.startsWith(claimPrefix)) {
    return claimValue(key.slice(claimPrefix.length));
  }
  return isNamed(key) ? contextValues[key] : undefined;
}

/** A string that code at a stage has set under a key, else the value that the gateway knows. */
function contextValue(key: string): InsertedValue {
  const name = currentContextName(key);
  const known = isNamed(name) ? contextValues[name] : undefined;
  return (source) => {
    const set = source.stages?.context.get(key) ?? source.stages?.context.get(name);
    return typeof set === 'string' ? set : known?.(source);
  };
}

function claimValue(name: string): InsertedValue {
  return ({ identity }) => {
    const value = identity?.claims?.get(name);
    return typeof value === 'string' ? value : JSON.stringify(value ?? undefined);
  };
}

/**
 * The value at a path of the client's body, as Apollo Router writes it: a string unchanged, any other value as JSON,
 * several values as a list; undefined for no value, or null.
 */
function textAt(
  path: BodyPath,
  { query, operationName, variables, extensions }: GraphqlRequest,
): string | undefined {
  const body = {
    query,
    operationName,
    variables: unlessEmpty(variables),
    extensions: unlessEmpty(extensions),
  };
  const found = path.reduce<unknown[]>(
    (values, step) => values.flatMap((value) => membersAt(value, step)),
    [body],
  );
  const value = found.length > 1 ? found : found[0];
  return typeof value === 'string' ? value : JSON.stringify(value ?? undefined);
}

function membersAt(value: unknown, step: BodyPath[number]): unknown[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  if (step === everyMember) {
    return Object.values(value);
  }
  return Object.hasOwn(value, step) ? [Reflect.get(value, step)] : [];
}

/** Apollo Router does not distinguish empty members of the body from absent ones. */
function unlessEmpty(member: object): object | undefined {
  return Object.keys(member).length === 0 ? undefined : member;
}
