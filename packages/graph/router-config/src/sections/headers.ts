import { bodyPath } from '../declaration/body-path.ts';
import type { KeyType, ValueOf } from '../declaration/key-type.ts';
import { checked, listOf, mapOf, unlessOneOf } from '../declaration/key-type.ts';
import { key, oneKeyOf, section } from '../declaration/key.ts';
import { headerName, headerValue, oneOf, regularExpression } from '../declaration/value-types.ts';

const propagate = checked(
  section({
    named: key(headerName, { note: 'A header field to pass on' }),
    matching: key(regularExpression, {
      note: 'A regular expression: every match is passed on, except Host, Accept and the header fields of a message or a connection',
    }),
    rename: key(headerName, { note: 'The name to pass it on under; goes with named' }),
    default: key(headerValue, { note: 'The value when the client sent none; goes with named' }),
  }),
  (held) =>
    unlessOneOf(held, 'named', 'matching') ??
    (held.named !== undefined || (held.rename === undefined && held.default === undefined)
      ? undefined
      : 'takes rename and default only with named'),
);

/** Apollo Router's name for the claims of a token. Never inserted: they are not a text. */
export const objectInContext = 'apollo::authentication::jwt_claims';

/** Properties of a request, by Apollo Router's names, and of its caller, by our own names, because Router has none. */
const namedKey = oneOf(
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

/** The start of a key that names a claim of the caller's token. */
export const claimPrefix = 'meridian::claim::';

/** Any key but an unknown one of ours: coprocessors and hooks set keys of their own. */
const contextKey: KeyType<string> = {
  read: (value, at) => (isClaimKey(value) || isOwnKey(value) ? value : namedKey.read(value, at)),
  schema: { anyOf: [namedKey.schema, { type: 'string', pattern: '.' }] },
};

function isClaimKey(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(claimPrefix) && value.length > claimPrefix.length;
}

function isOwnKey(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.startsWith('meridian::');
}

const insert = checked(
  section({
    name: key(headerName, {
      required: true,
      note: 'A header field to add, other than those for framing and encoding, such as Content-Type',
    }),
    value: key(headerValue, { note: 'A fixed value for it' }),
    from_context: key(contextKey, {
      note: 'A property of the request as the value, or of its caller (meridian::…), or a string that a coprocessor or a hook has put into the context under this key. A client’s own field of that name is removed where the caller has none. `meridian::claim::NAME` is a claim of its token: a string unchanged, any other value as JSON. An unknown value, or one outside printable ASCII, is not added. Nor are the claims of a token, which are an object, as in Apollo Router',
    }),
    path: key(bodyPath, {
      note: 'The path of its value in the client’s body, such as $.variables.id: names, indexes and *. Values other than strings are written as JSON, several values as a list. Values that are longer than 8 KiB or outside printable ASCII are not added',
    }),
    default: key(headerValue, { note: 'The value when there is none at path' }),
  }),
  (held) =>
    unlessOneOf(held, 'value', 'from_context', 'path') ??
    (held.default === undefined || held.path !== undefined ? undefined : 'takes default only with path'),
);

const remove = oneKeyOf({
  named: key(headerName, { note: 'A header field to remove' }),
  matching: key(regularExpression, {
    note: 'A regular expression: every match is removed, with the same exceptions as propagate.matching',
  }),
});

const operation = oneKeyOf({
  propagate: key(propagate, {}),
  insert: key(insert, {}),
  remove: key(remove, {}),
});

const ifList = (value: unknown): unknown => (Array.isArray(value) ? value : undefined);

/** @param path its own, where Router 0.9 has the rules */
const location = (path: string) =>
  section({
    request: section({
      operations: key(listOf(operation), {
        default: [],
        note: 'Rules for passing the client’s header fields to subgraphs, in order. Default: no field is passed on',
        formerly: [
          ['', ifList],
          [path, ifList],
        ],
      }),
    }),
  });

/** One rule about the header fields of requests to subgraphs. */
export type HeaderOperation = ValueOf<typeof operation>;

/** A rule that adds a field. */
export type InsertedHeader = ValueOf<typeof insert>;

/** A rule that passes a field on. */
export type PropagatedHeader = ValueOf<typeof propagate>;

/** The names for `insert.from_context`. */
export type HeaderContextKey = ValueOf<typeof namedKey>;

/** The client's header fields that subgraphs get. The rules of `all` apply first. */
export const headers = section({
  all: location('headers.all'),
  subgraphs: mapOf(location('headers.subgraphs.*')),
});
