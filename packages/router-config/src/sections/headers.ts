import { bodyPath } from '../declaration/body-path.ts';
import { checked } from '../declaration/checked.ts';
import { headerName } from '../declaration/header-name.ts';
import { defaulting, optional, required } from '../declaration/key.ts';
import type { ValueOf } from '../declaration/value-type.ts';
import { listOf } from '../declaration/list-of.ts';
import { mapOf } from '../declaration/map-of.ts';
import { oneOf } from '../declaration/one-of.ts';
import { pattern } from '../declaration/pattern.ts';
import { section } from '../declaration/section.ts';
import { text } from '../declaration/text.ts';

const headerValue = text({ pattern: /^[\t\x20-\x7e\x80-\xff]+$/, takes: 'the value of a header field' });

const propagate = checked(
  section({
    /** The client's header field to pass on. */
    named: optional(headerName),
    /** A regular expression over names, to pass on every match. */
    matching: optional(pattern),
    /** The name to pass it on under; goes with `named`. */
    rename: optional(headerName),
    /** The value if the client sent none; goes with `named`. */
    default: optional(headerValue),
  }),
  ({ named, matching, rename, default: fallback }) => {
    const isByName = named !== undefined;
    if (isByName === (matching !== undefined)) {
      return 'takes either named or matching';
    }
    return isByName || (rename === undefined && fallback === undefined)
      ? undefined
      : 'takes rename and default only with named';
  },
);

/** Apollo Router's name for the claims of a token. Never inserted: they are not a text. */
export const objectInContext = 'apollo::authentication::jwt_claims';

/** Properties of a request, by Apollo Router's names, and of its caller, by our own names, because Router has none. */
const contextKey = oneOf(
  objectInContext,
  'apollo::supergraph::operation_name',
  'apollo::supergraph::operation_kind',
  'apollo::telemetry::client_name',
  'apollo::telemetry::client_version',
  'meridian::tenant_id',
  'meridian::subject',
  'meridian::issuer',
  'meridian::scope',
);

const insert = checked(
  section({
    name: required(headerName),
    /** A fixed value. */
    value: optional(headerValue),
    from_context: optional(contextKey),
    /** A path into the body of the client's request. */
    path: optional(bodyPath),
    /** The value if there is none at `path`. */
    default: optional(headerValue),
  }),
  ({ value, from_context: key, path, default: fallback }) => {
    if ([value, key, path].filter((source) => source !== undefined).length !== 1) {
      return 'takes exactly one of value, from_context and path';
    }
    return fallback === undefined || path !== undefined ? undefined : 'takes default only with path';
  },
);

const remove = checked(
  section({ named: optional(headerName), matching: optional(pattern) }),
  ({ named, matching }) =>
    (named === undefined) === (matching === undefined) ? 'takes either named or matching' : undefined,
);

const operation = checked(
  section({
    propagate: optional(propagate),
    insert: optional(insert),
    remove: optional(remove),
  }),
  (held) =>
    Object.values(held).filter((rule) => rule !== undefined).length === 1
      ? undefined
      : 'takes exactly one of propagate, insert and remove',
);

const location = section({
  request: defaulting(section({ operations: defaulting(listOf(operation), []) }), {}),
});

/** One rule about the header fields of requests to subgraphs. */
export type HeaderOperation = ValueOf<typeof operation>;

/** A rule that adds a field. */
export type InsertedHeader = ValueOf<typeof insert>;

/** A rule that passes a field on. */
export type PropagatedHeader = ValueOf<typeof propagate>;

/** The names for `insert.from_context`. */
export type HeaderContextKey = ValueOf<typeof contextKey>;

/** The client's header fields that subgraphs get. Default: none. */
export const headers = section({
  all: defaulting(location, {}),
  /** Applied after the rules of `all`. */
  subgraphs: defaulting(mapOf(location), {}),
});
