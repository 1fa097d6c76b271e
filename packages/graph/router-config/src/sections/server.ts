import { key, section } from '../declaration/key.ts';
import { duration } from '../declaration/value-types.ts';

/** The listener for clients. */
export const server = section({
  http: section({
    header_read_timeout: key(duration, {
      default: '10s',
      note: 'The longest time until the head of a request has arrived',
    }),
    tls_handshake_timeout: key(duration, {
      default: '10s',
      note: 'The longest time for the TLS handshake of a new connection',
    }),
  }),
});
