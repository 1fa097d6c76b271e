import { boolean } from '../value-types/boolean.ts';
import { defaulting } from '../value-types/key.ts';
import { listOf } from '../value-types/list-of.ts';
import { section } from '../value-types/section.ts';
import { text } from '../value-types/text.ts';

/** The wall against requests that a foreign web page makes a browser send. */
export const csrf = section({
  /** Takes the wall down. */
  unsafe_disabled: defaulting(boolean, false),
  /** A request passes with any of these header fields, since a browser sends none of them without asking first. */
  required_headers: defaulting(listOf(text()), ['x-apollo-operation-name', 'apollo-require-preflight']),
});
