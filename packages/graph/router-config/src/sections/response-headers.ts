import type { ValueOf } from '../declaration/key-type.ts';
import { checked, listOf, mapOf, unlessOneOf } from '../declaration/key-type.ts';
import { key, oneKeyOf, section } from '../declaration/key.ts';
import { headerName, headerValue, oneOf, regularExpression } from '../declaration/value-types.ts';
import { gatewayOnlyResponseHeaders } from './sent-headers.ts';

const cacheControl = 'cache-control';

const propagate = checked(
  section({
    named: key(headerName, {
      note: 'A header field to pass on to the client. For Set-Cookie, a response is private and never stored; each cookie stays a field of its own',
    }),
    matching: key(regularExpression, {
      note: 'A regular expression, in lower case: every match is passed on, except the fields of a message, a connection, an origin or a cache',
    }),
    rename: key(headerName, { note: 'The name to pass it on under; goes with named' }),
    default: key(headerValue, {
      note: 'The value when no subgraph that it applies to sent one; goes with named',
    }),
    algorithm: key(oneOf('first', 'last', 'append', 'most_restrictive_cache_control'), {
      required: true,
      note: 'For the values of several responses, in the order of their requests: the first, the last, or all of them as one list. most_restrictive_cache_control, for Cache-Control alone, takes the shortest time of all subgraphs instead of the hints in the schema, for responses to GET',
    }),
  }),
  (held) => {
    const { named, rename, default: fallback, algorithm } = held;
    const fault = unlessOneOf(held, 'named', 'matching');
    if (fault !== undefined) {
      return fault;
    }
    if (named === undefined && (rename !== undefined || fallback !== undefined)) {
      return 'takes rename and default only with named';
    }
    const isOfCaches = named?.toLowerCase() === cacheControl;
    if (isOfCaches !== (algorithm === 'most_restrictive_cache_control')) {
      return isOfCaches
        ? 'takes only algorithm: most_restrictive_cache_control for Cache-Control'
        : 'takes algorithm: most_restrictive_cache_control only for named: Cache-Control';
    }
    if (isOfCaches) {
      return rename === undefined && fallback === undefined
        ? undefined
        : 'takes neither rename nor default for Cache-Control';
    }
    return faultOfName(rename ?? named);
  },
);

const insert = checked(
  section({
    name: key(headerName, {
      required: true,
      note: 'A header field to add for each response of the subgraph',
    }),
    value: key(headerValue, { required: true, note: 'Its value, instead of the values before this rule' }),
  }),
  ({ name }) =>
    name.toLowerCase() === cacheControl ? 'takes no Cache-Control, which is computed' : faultOfName(name),
);

const remove = oneKeyOf({
  named: key(headerName, { note: 'A header field of the subgraph that the client does not get' }),
  matching: key(regularExpression, {
    note: 'A regular expression, in lower case: the client gets no match',
  }),
});

const rule = oneKeyOf({
  propagate: key(propagate, {}),
  insert: key(insert, {}),
  remove: key(remove, {}),
});

function faultOfName(name = ''): string | undefined {
  return gatewayOnlyResponseHeaders.has(name.toLowerCase())
    ? `takes no ${name}, which the gateway alone sets`
    : undefined;
}

const note =
  'Rules for passing header fields of subgraphs on to the client, in order, as in Hive Router. Requests to a subgraph that has such rules are not shared: no client gets a field that was meant for another one. Nor are such responses stored by shared caches. Default: no field is passed on';

const ofOne = checked(section({ response: key(listOf(rule), { default: [], note }) }), ({ response }) =>
  response.some(({ propagate }) => propagate?.algorithm === 'most_restrictive_cache_control')
    ? 'takes Cache-Control only under all: it depends on every subgraph of a response'
    : undefined,
);

/** One rule about the header fields of responses to clients. */
export type ResponseHeaderRule = ValueOf<typeof rule>;

/** A rule that passes a field on. */
export type PropagatedResponseHeader = NonNullable<ResponseHeaderRule['propagate']>;

/** The header fields of subgraphs that clients get. The rules of `all` apply first. */
export const responseHeaders = section({
  all: section({ response: key(listOf(rule), { default: [], note }) }),
  subgraphs: mapOf(ofOne),
});
