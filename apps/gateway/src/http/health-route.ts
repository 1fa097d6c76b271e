import type { AdminRoute, HttpResponse, RequestHead, ServeExchange } from '@meridian/http';
import { targetOf } from '@meridian/http';
import { problem } from '@meridian/problem-details';

import type { TrafficLimits } from '../config/traffic-limits.ts';

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

/** Counts the requests that a gateway cannot serve, as Apollo Router's `health_check.readiness` does. */
export class Rejections {
  readonly #limits: NonNullable<TrafficLimits['readiness']>;
  readonly #now: () => number;
  #count = 0;
  #intervalEndsMs = 0;
  #readyAgainMs = 0;

  /** @param now in milliseconds, from any time on */
  constructor(limits: NonNullable<TrafficLimits['readiness']>, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** @param status of a response */
  count(status: number): void {
    if (status !== 503 && status !== 504) {
      return;
    }
    const { allowed, samplingMs, unreadyMs } = this.#limits;
    const nowMs = this.#now();
    if (nowMs < this.#readyAgainMs) {
      return;
    }
    if (nowMs >= this.#intervalEndsMs) {
      this.#intervalEndsMs = nowMs + samplingMs;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count > allowed) {
      this.#readyAgainMs = nowMs + unreadyMs;
      this.#intervalEndsMs = 0;
    }
  }

  /** False for a time after too many rejections. */
  get isReady(): boolean {
    return this.#now() >= this.#readyAgainMs;
  }

  /** @throws {Problem} `unavailable` while it is not ready */
  checkReady(): void {
    if (!this.isReady) {
      throw problem('unavailable', 'The gateway has rejected too many requests.');
    }
  }
}
