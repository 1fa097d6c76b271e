import { boolean } from '../kinds/boolean.ts';
import { defaulting } from '../kinds/key.ts';
import { section } from '../kinds/section.ts';
import { socketAddress } from '../kinds/socket-address.ts';
import { text } from '../kinds/text.ts';

/** The health endpoint, on the admin listener. */
export const healthCheck = section({
  enabled: defaulting(boolean, true),
  /** Where the admin listener listens; `ADMIN_HOST` and `ADMIN_PORT` win. */
  listen: defaulting(socketAddress, '127.0.0.1:8088'),
  path: defaulting(text({ pattern: /^\/[^*{}?#]*$/, takes: 'a path that starts with /' }), '/health'),
});
