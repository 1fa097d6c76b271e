import { listOf } from '../declaration/key-type.ts';
import { flag, key, section } from '../declaration/key.ts';
import { text } from '../declaration/value-types.ts';

/** The protection against requests that a foreign web page makes a browser send. */
export const csrf = section({
  unsafe_disabled: flag('Disables the protection against cross-site requests'),
  required_headers: key(listOf(text), {
    default: ['x-apollo-operation-name', 'apollo-require-preflight'],
    note: 'A request with any of these header fields passes the protection, and so does one with a `Content-Type` of JSON',
  }),
});
