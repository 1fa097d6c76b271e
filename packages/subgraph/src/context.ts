import type { Caller } from '@meridian/auth';
import type { Logger } from '@meridian/telemetry';

/** What resolvers are given for one request; nothing of it outlives the request. */
export interface SubgraphContext<Loaders> {
  /** Who asks, from the verified token. `caller.tenantId` is the first argument of every store. */
  readonly caller: Caller;
  /** Aborted at the request's deadline, or when the one who asked hangs up. */
  readonly signal: AbortSignal;
  /** The DataLoaders of this request and tenant. */
  readonly loaders: Loaders;
  /** Writes lines that carry the request's identifiers. */
  readonly log: Logger;
}
