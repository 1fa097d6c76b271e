import { boolean } from '../value-types/boolean.ts';
import { defaulting } from '../value-types/key.ts';
import { listOf } from '../value-types/list-of.ts';
import { section } from '../value-types/section.ts';
import { text } from '../value-types/text.ts';

/** The protection against requests that a foreign web page makes a browser send. */
export const csrf = section({
  /** Turns the protection off. */
  unsafe_disabled: defaulting(boolean, false),
  /** A request with any of these header fields passes: a browser sends them only after a preflight. */
  required_headers: defaulting(listOf(text()), ['x-apollo-operation-name', 'apollo-require-preflight']),
});
