import { mapOf } from '../declaration/key-type.ts';
import { flag, key, section } from '../declaration/key.ts';
import { boolean, byteSize, positiveInteger, wholeNumber } from '../declaration/value-types.ts';

/**
 * Bounds on requests, operations and subgraph responses. Router 2.15 moved the bounds on requests to `limits.router`;
 * the specification writes them here.
 *
 * Spec: Limits.
 */
export const limits = section({
  max_depth: key(positiveInteger, { note: 'The most fields on a path, including the leaf', paid: true }),
  max_height: key(positiveInteger, {
    note: 'The most fields in all selection sets together. Fields of one name in one set count once; a fragment’s fields count at each spread',
    paid: true,
  }),
  max_aliases: key(wholeNumber({ minimum: 0 }), {
    note: 'The most aliases; a fragment’s aliases count at each spread',
    paid: true,
  }),
  max_root_fields: key(positiveInteger, {
    note: 'The most root fields; a fragment’s root fields count at each spread',
    paid: true,
  }),
  max_recursive_selections: key(positiveInteger, {
    default: 10_000_000,
    note: 'The most selections; a fragment’s selections, and its spread, count at each spread',
  }),
  warn_only: flag(
    'Logs operations over a `max_*` of this section, or over meridian.limits.max_subgraph_fetches, once each, and runs them. The other limits still reject',
  ),
  introspection_max_depth: key(boolean, {
    default: true,
    note: 'Rejects introspection that nests three of the lists `fields`, `interfaces`, `possibleTypes` and `inputFields`. meridian.limits.introspection_max_depth limits it besides',
  }),
  parser_max_tokens: key(positiveInteger, {
    default: 15_000,
    note: 'The most tokens of an operation, counted before parsing; each line of a block string counts as one',
  }),
  parser_max_recursion: key(positiveInteger, {
    default: 500,
    note: 'The deepest nesting of brackets',
    formerly: ['server.experimental_parser_recursion_limit'],
  }),
  http_max_request_bytes: key(byteSize, {
    default: 2_000_000,
    note: 'The longest request body',
    formerly: ['experimental_http_max_request_bytes'],
  }),
  http1_max_request_headers: key(positiveInteger, {
    default: 200,
    note: 'The most header fields of a request, over HTTP/2 too. Apollo Router takes 100 by default',
  }),
  http1_max_request_buf_size: key(byteSize, {
    default: '64KiB',
    note: 'The most bytes of a request line with all header fields. Apollo Router takes about 400 KiB by default',
  }),
  http2_max_headers_list_bytes: key(byteSize, {
    default: '64KiB',
    note: 'The same over HTTP/2, with 32 bytes for each field. Apollo Router takes 16 KiB by default',
  }),
  subgraph: section({
    all: section({
      http_max_response_size: key(byteSize, {
        default: '16MiB',
        note: 'The longest response of a subgraph',
      }),
    }),
    subgraphs: mapOf(
      section({ http_max_response_size: key(byteSize, { note: 'The same for this subgraph' }) }),
    ),
  }),
});
