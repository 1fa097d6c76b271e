import type { Caller } from '@meridian/auth';
import type { Logger, TraceContext } from '@meridian/telemetry';

/** The context of one request's resolvers; nothing of it outlives the request. */
export interface SubgraphContext<Loaders> {
  /** The caller from the verified token. `caller.tenantId` is the first argument of every store. */
  readonly caller: Caller;
  /** The request's `Authorization` field, for requests to other services as this caller. */
  readonly authorization: string;
  /** For the `traceparent` of such a request. */
  readonly trace: TraceContext;
  /** Aborts at the request's deadline, or when the client hangs up. */
  readonly signal: AbortSignal;
  /** The DataLoaders of this request and tenant. Each root mutation field starts with new ones. */
  readonly loaders: Loaders;
  /** Replaces the loaders, and so their caches. */
  renewLoaders(): void;
  /** Writes lines with the request's identifiers. */
  readonly log: Logger;
}
