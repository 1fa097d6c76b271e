import { key, section } from '../declaration/key.ts';
import { boolean, duration, listenAddress, positiveInteger, urlPath } from '../declaration/value-types.ts';

/** The health endpoint, on the admin listener. */
export const healthCheck = section({
  enabled: key(boolean, { default: true, note: 'Serves a health check on the admin listener' }),
  listen: key(listenAddress, {
    default: '127.0.0.1:8088',
    note: 'The address of the admin listener, or the path of a Unix socket; ADMIN_HOST and ADMIN_PORT take precedence. Where it is the address of `supergraph.listen`, only the health check is served there, and the admin listener has its default address',
  }),
  path: key(urlPath, {
    default: '/health',
    note: 'The path of the health check, in addition to /livez, /readyz and /metrics',
  }),
  readiness: key(
    section({
      allowed: key(positiveInteger, {
        default: 100,
        note: 'The most responses with 503 or 504 in a sampling interval. With more, /readyz and the query `?ready` of the health check are 503 for the unready interval. Of several workers, each counts its share; the admin listener says unready once all are',
      }),
      interval: section({
        sampling: key(duration, { default: '5s', note: 'The interval in which they are counted' }),
        unready: key(duration, {
          note: 'The time until the gateway is ready again. Default: twice the sampling interval',
        }),
      }),
    }),
    {
      note: 'Reports a gateway that rejects too many requests as not ready. Default: it never does, where Apollo Router counts with these defaults. Of many replicas that have too much to do, each unready one leaves more to the others: set it where others have room',
    },
  ),
});
