import { boolean } from '../declaration/boolean.ts';
import { defaulting } from '../declaration/key.ts';
import { listOf } from '../declaration/list-of.ts';
import { section } from '../declaration/section.ts';
import { text } from '../declaration/text.ts';

/** The protection against requests that a foreign web page makes a browser send. */
export const csrf = section({
  /** Turns the protection off. */
  unsafe_disabled: defaulting(boolean, false),
  /** A request with any of these header fields passes: a browser sends them only after a preflight. */
  required_headers: defaulting(listOf(text()), ['x-apollo-operation-name', 'apollo-require-preflight']),
});
