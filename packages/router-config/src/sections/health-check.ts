import { boolean } from '../value-types/boolean.ts';
import { defaulting } from '../value-types/key.ts';
import { section } from '../value-types/section.ts';
import { socketAddress } from '../value-types/socket-address.ts';
import { text } from '../value-types/text.ts';

/** The health endpoint, on the admin listener. */
export const healthCheck = section({
  enabled: defaulting(boolean, true),
  /** The address of the admin listener; `ADMIN_HOST` and `ADMIN_PORT` take precedence. */
  listen: defaulting(socketAddress, '127.0.0.1:8088'),
  path: defaulting(text({ pattern: /^\/[^*{}?#]*$/, takes: 'a path that starts with /' }), '/health'),
});
