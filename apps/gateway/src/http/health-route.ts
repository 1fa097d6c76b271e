import type { AdminRoute, HttpResponse, RequestHead, ServeExchange } from '@meridian/http';
import { targetOf } from '@meridian/http';

import type { Rejections } from './rejections.ts';

/** Members of the health check beside `status`. */
export type HealthMembers = Readonly<Record<string, unknown>>;

/** Apollo Router's health check, as a path of the admin listener; none where it is off. */
export function healthRoute(
  path: string | undefined,
  members: () => HealthMembers,
  rejections?: Readiness,
): Readonly<Record<string, AdminRoute>> {
  return path === undefined ? {} : { [path]: (request) => healthOf(request, rejections, members()) };
}

/** The states of the circuits that are not closed, by subgraph: a gateway without that subgraph still serves the others. */
export function circuitsMember(circuits: Readonly<Record<string, string>>): HealthMembers {
  return Object.keys(circuits).length === 0 ? {} : { circuits };
}

/** Serves the health check beside the graph. */
export function withHealth(
  serve: ServeExchange,
  path: string | undefined,
  rejections?: Readiness,
): ServeExchange {
  return (exchange) => {
    const isRead = exchange.method === 'GET' || exchange.method === 'HEAD';
    if (isRead && targetOf(exchange).path === path) {
      exchange.send(healthOf(exchange, rejections), []);
    } else {
      void serve(exchange);
    }
  };
}

/** Counts the responses that it serves. */
export function withRejections(serve: ServeExchange, rejections: Rejections | undefined): ServeExchange {
  return rejections === undefined
    ? serve
    : (exchange) => {
        exchange.onEnd((status) => rejections.count(status));
        return serve(exchange);
      };
}

type Readiness = Pick<Rejections, 'isReady'> | undefined;

/** As in Apollo Router, only a query that begins with `ready` asks for the readiness. */
export function asksForReadiness(request: Pick<RequestHead, 'url'>): boolean {
  return /^\?ready/i.test(targetOf(request).query);
}

function healthOf(request: RequestHead, rejections: Readiness, members?: HealthMembers): HttpResponse {
  const isDown = rejections?.isReady === false && asksForReadiness(request);
  return {
    status: isDown ? 503 : 200,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    body: JSON.stringify({ status: isDown ? 'DOWN' : 'UP', ...members }),
  };
}
