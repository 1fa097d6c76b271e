import { key, section } from '../declaration/key.ts';
import { boolean, socketAddress, urlPath } from '../declaration/value-types.ts';

/** The health endpoint, on the admin listener. */
export const healthCheck = section({
  enabled: key(boolean, { default: true, note: 'Serves a health check on the admin listener' }),
  listen: key(socketAddress, {
    default: '127.0.0.1:8088',
    note: 'The address of the admin listener; ADMIN_HOST and ADMIN_PORT take precedence. Where it is the address of `supergraph.listen`, only the health check is served there, and the admin listener has its default address',
  }),
  path: key(urlPath, {
    default: '/health',
    note: 'The path of the health check, in addition to /livez, /readyz and /metrics',
  }),
});
