import { checked } from '../kinds/checked.ts';
import { defaulting, optional, required } from '../kinds/key.ts';
import type { ValueOf } from '../kinds/kind.ts';
import { listOf } from '../kinds/list-of.ts';
import { mapOf } from '../kinds/map-of.ts';
import { pattern } from '../kinds/pattern.ts';
import { section } from '../kinds/section.ts';
import { text } from '../kinds/text.ts';

const headerName = text({ pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, takes: 'the name of a header field' });
const headerValue = text({ pattern: /^[\t\x20-\x7e\x80-\xff]+$/, takes: 'the value of a header field' });

const propagate = checked(
  section({
    /** The client's header field to pass on. */
    named: optional(headerName),
    /** A regular expression over names, to pass on every match. */
    matching: optional(pattern),
    /** The name to pass it on under; goes with `named`. */
    rename: optional(headerName),
    /** The value where the client sent none; goes with `named`. */
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

const remove = checked(
  section({ named: optional(headerName), matching: optional(pattern) }),
  ({ named, matching }) =>
    (named === undefined) === (matching === undefined) ? 'takes either named or matching' : undefined,
);

const operation = checked(
  section({
    propagate: optional(propagate),
    insert: optional(section({ name: required(headerName), value: required(headerValue) })),
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

/** Which header fields of the client reach the subgraphs. Without a rule, none does. */
export const headers = section({
  all: defaulting(location, {}),
  /** Applied after those of `all`. */
  subgraphs: defaulting(mapOf(location), {}),
});
