import { checked, listOf, mapOf } from '../declaration/key-type.ts';
import { key, section } from '../declaration/key.ts';
import { boolean, booleanOr, text } from '../declaration/value-types.ts';

const keys = listOf(text);

const ofAll = checked(
  section({
    redact_message: key(boolean, { required: true, note: 'Replaces the message by a fixed one' }),
    allow_extensions_keys: key(keys, { note: 'The only members of extensions that are shown' }),
    deny_extensions_keys: key(keys, { note: 'The members of extensions that are not shown' }),
  }),
  oneList,
);

const addedToAll = 'Added to the list for all; replaces a list of the other kind';

const ofSubgraph = checked(
  section({
    redact_message: key(boolean, { note: 'Default: as for all' }),
    allow_extensions_keys: key(keys, { note: addedToAll }),
    deny_extensions_keys: key(keys, { note: addedToAll }),
    exclude_global_keys: key(keys, {
      note: 'Members of the list for all that do not count for this subgraph',
    }),
  }),
  oneList,
);

function oneList(held: {
  readonly allow_extensions_keys: unknown;
  readonly deny_extensions_keys: unknown;
}): string | undefined {
  return held.allow_extensions_keys !== undefined && held.deny_extensions_keys !== undefined
    ? 'takes either allow_extensions_keys or deny_extensions_keys'
    : undefined;
}

/** The parts of a subgraph's errors that clients receive unchanged; the rest is masked. */
export const includeSubgraphErrors = checked(
  section({
    all: key(booleanOr(ofAll), {
      default: false,
      note: 'Shows clients the errors of subgraphs unchanged; in development they are always shown',
    }),
    subgraphs: key(mapOf(booleanOr(ofSubgraph)), {
      default: {},
      note: 'The same for single subgraphs: true, false, or changes to what holds for all',
    }),
  }),
  ({ all, subgraphs }) =>
    typeof all === 'boolean' && subgraphs.values().some((held) => typeof held !== 'boolean')
      ? 'takes only true or false under subgraphs while all is true or false'
      : undefined,
);
