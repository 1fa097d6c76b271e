import type { AdminRoute, HttpResponse, ServeExchange } from '@meridian/http';
import { targetOf } from '@meridian/http';

/** Apollo Router's health check, as a path of the admin listener; none where it is off. */
export function healthRoute(
  path: string | undefined,
  openCircuits: OpenCircuits,
): Readonly<Record<string, AdminRoute>> {
  return path === undefined ? {} : { [path]: () => health(openCircuits()) };
}

/** The states of the circuits that are not closed, by subgraph. A gateway without that subgraph still serves the others. */
type OpenCircuits = () => Readonly<Record<string, string>>;

function health(circuits: Readonly<Record<string, string>>): HttpResponse {
  return Object.keys(circuits).length === 0
    ? healthy
    : { ...healthy, body: JSON.stringify({ status: 'UP', circuits }) };
}

/** Serves the health check beside the graph. */
export function withHealth(serve: ServeExchange, path: string | undefined): ServeExchange {
  return (exchange) => {
    const isRead = exchange.method === 'GET' || exchange.method === 'HEAD';
    if (isRead && targetOf(exchange).path === path) {
      exchange.send(healthy, []);
    } else {
      void serve(exchange);
    }
  };
}

const healthy: HttpResponse = {
  status: 200,
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  body: JSON.stringify({ status: 'UP' }),
};
