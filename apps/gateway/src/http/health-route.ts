import type { AdminRoute, HttpResponse, ServeExchange } from '@meridian/http';
import { targetOf } from '@meridian/http';

/** Members of the health check beside `status`. */
export type HealthMembers = Readonly<Record<string, unknown>>;

/** Apollo Router's health check, as a path of the admin listener; none where it is off. */
export function healthRoute(
  path: string | undefined,
  members: () => HealthMembers,
): Readonly<Record<string, AdminRoute>> {
  return path === undefined
    ? {}
    : { [path]: () => ({ ...healthy, body: JSON.stringify({ status: 'UP', ...members() }) }) };
}

/** The states of the circuits that are not closed, by subgraph: a gateway without that subgraph still serves the others. */
export function circuitsMember(circuits: Readonly<Record<string, string>>): HealthMembers {
  return Object.keys(circuits).length === 0 ? {} : { circuits };
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
