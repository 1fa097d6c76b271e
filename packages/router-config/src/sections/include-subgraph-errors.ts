import { boolean } from '../kinds/boolean.ts';
import { booleanOr } from '../kinds/boolean-or.ts';
import { checked } from '../kinds/checked.ts';
import { defaulting, optional, required } from '../kinds/key.ts';
import { listOf } from '../kinds/list-of.ts';
import { mapOf } from '../kinds/map-of.ts';
import { section } from '../kinds/section.ts';
import { text } from '../kinds/text.ts';

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
    /** Absent: as for all. */
    redact_message: optional(boolean),
    ...extensionKeys,
    /** Keys of the list for all that do not count for this subgraph. */
    exclude_global_keys: optional(listOf(text())),
  }),
  oneList,
);

/** What of a subgraph's errors reaches the client as the subgraph wrote it; the rest is masked. */
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
