import { byteSize } from '../declaration/byte-size.ts';
import { defaulting, optional } from '../declaration/key.ts';
import { mapOf } from '../declaration/map-of.ts';
import { section } from '../declaration/section.ts';
import { wholeNumber } from '../declaration/whole-number.ts';

const subgraphLimits = section({ http_max_response_size: optional(byteSize) });
const allSubgraphLimits = section({ http_max_response_size: defaulting(byteSize, '16MiB') });

/**
 * Bounds on requests, operations and subgraph responses. Router 2.15 moved the bounds on requests to
 * `limits.router`; the specification writes them here, and `deprecatedKeys` accepts both.
 *
 * Spec: Limits.
 */
export const limits = section({
  /** Fields along the deepest path of an operation, the leaf included. */
  max_depth: optional(wholeNumber({ minimum: 1 })),
  /** Fields of all selection sets; fields of one response name in one set count once. */
  max_height: optional(wholeNumber({ minimum: 1 })),
  max_aliases: optional(wholeNumber({ minimum: 0 })),
  max_root_fields: optional(wholeNumber({ minimum: 1 })),
  parser_max_tokens: defaulting(wholeNumber({ minimum: 1 }), 15_000),
  /** The deepest nesting of brackets. */
  parser_max_recursion: defaulting(wholeNumber({ minimum: 1 }), 500),
  http_max_request_bytes: defaulting(byteSize, 2_000_000),
  /** The limit for one subgraph's responses, else the limit for all. */
  subgraph: defaulting(
    section({ all: defaulting(allSubgraphLimits, {}), subgraphs: defaulting(mapOf(subgraphLimits), {}) }),
    {},
  ),
});
