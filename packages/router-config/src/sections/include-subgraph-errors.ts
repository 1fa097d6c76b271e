import { boolean } from '../declaration/boolean.ts';
import { booleanOr } from '../declaration/boolean-or.ts';
import { checked } from '../declaration/checked.ts';
import { defaulting, optional, required } from '../declaration/key.ts';
import { listOf } from '../declaration/list-of.ts';
import { mapOf } from '../declaration/map-of.ts';
import { section } from '../declaration/section.ts';
import { text } from '../declaration/text.ts';

/** The members of `extensions` that reach the client: those allowed, or all but those denied. */
const extensionKeys = {
  allow_extensions_keys: optional(listOf(text())),
  deny_extensions_keys: optional(listOf(text())),
};

const oneList = (held: {
  allow_extensions_keys?: unknown;
  deny_extensions_keys?: unknown;
}): string | undefined =>
  held.allow_extensions_keys !== undefined && held.deny_extensions_keys !== undefined
    ? 'takes either allow_extensions_keys or deny_extensions_keys'
    : undefined;

const ofAll = checked(section({ redact_message: required(boolean), ...extensionKeys }), oneList);

const ofSubgraph = checked(
  section({
    /** Default: as for all. */
    redact_message: optional(boolean),
    ...extensionKeys,
    /** Keys of the list for all that do not count for this subgraph. */
    exclude_global_keys: optional(listOf(text())),
  }),
  oneList,
);

/** The parts of a subgraph's errors that clients receive unchanged; the rest is masked. */
export const includeSubgraphErrors = checked(
  section({
    all: defaulting(booleanOr(ofAll), false),
    /** Extends or replaces what `all` says. */
    subgraphs: defaulting(mapOf(booleanOr(ofSubgraph)), {}),
  }),
  ({ all, subgraphs }) =>
    typeof all === 'boolean' && subgraphs.values().some((held) => typeof held !== 'boolean')
      ? 'takes only true or false under subgraphs while all is true or false'
      : undefined,
);
