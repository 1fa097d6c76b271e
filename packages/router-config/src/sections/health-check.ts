import { boolean } from '../declaration/boolean.ts';
import { defaulting } from '../declaration/key.ts';
import { section } from '../declaration/section.ts';
import { socketAddress } from '../declaration/socket-address.ts';
import { text } from '../declaration/text.ts';

/** The health endpoint, on the admin listener. */
export const healthCheck = section({
  enabled: defaulting(boolean, true),
  /** The address of the admin listener; `ADMIN_HOST` and `ADMIN_PORT` take precedence. */
  listen: defaulting(socketAddress, '127.0.0.1:8088'),
  path: defaulting(text({ pattern: /^\/[^*{}?#]*$/, takes: 'a path that starts with /' }), '/health'),
});
