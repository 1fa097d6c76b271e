import type { BodyPath, HeaderContextKey, InsertedHeader } from '@meridian/router-config';
import { Kind } from 'graphql';

import type { GraphqlRequest } from '../graphql-request.ts';
import { clientOf } from '../telemetry/client-of.ts';
import type { HeaderSource } from './header-source.ts';

/** The value of an inserted header field; undefined where there is none. */
export type InsertedValue = (source: HeaderSource) => string | undefined;

/** What Apollo Router takes for a value from elsewhere, within a bound: a longer one would cost the subgraph its other fields. */
const fieldValue = /^[\t\x20-\x7e]{0,8192}$/;

/** Makes of a rule what finds its value. One that no field may hold counts as none: it may be the client's. */
export function insertedValue({
  value,
  from_context: key,
  path,
  default: fallback,
}: InsertedHeader): InsertedValue {
  if (key !== undefined) {
    return ifSendable(contextValues[key]);
  }
  if (path !== undefined) {
    return ifSendable(({ run }) => textAt(path, run.request) ?? fallback);
  }
  return () => value;
}

function ifSendable(find: InsertedValue): InsertedValue {
  return (source) => {
    const value = find(source);
    return value !== undefined && fieldValue.test(value) ? value : undefined;
  };
}

/** What is known of a request, by the names of `insert.from_context`. */
const contextValues: Readonly<Record<HeaderContextKey, InsertedValue>> = {
  'apollo::supergraph::operation_name': ({ operation }) => operation.name,
  'apollo::supergraph::operation_kind': ({ operation }) =>
    operation.document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION)
      ?.operation,
  'apollo::telemetry::client_name': ({ run }) => clientOf(run.request.headers).name || undefined,
  'apollo::telemetry::client_version': ({ run }) => clientOf(run.request.headers).version || undefined,
  'meridian::tenant_id': ({ run }) => run.caller?.tenantId,
  'meridian::subject': ({ run }) => run.caller?.subject,
  'meridian::issuer': ({ run }) => run.caller?.issuer,
  'meridian::scope': ({ run }) => run.caller && [...run.caller.scopes].join(' '),
};

/** The value at a path of the body that the client sent: a text as it is, anything else as JSON; undefined for null. */
function textAt(
  path: BodyPath,
  { query, operationName, variables, extensions }: GraphqlRequest,
): string | undefined {
  let value: unknown = {
    query,
    operationName,
    variables: unlessEmpty(variables),
    extensions: unlessEmpty(extensions),
  };
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      return undefined;
    }
    value = Reflect.get(value, step);
  }
  return typeof value === 'string' ? value : JSON.stringify(value ?? undefined);
}

/** Apollo Router does not tell empty members of the body from absent ones. */
function unlessEmpty(member: object): object | undefined {
  return Object.keys(member).length === 0 ? undefined : member;
}
