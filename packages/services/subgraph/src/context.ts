import type { Caller } from '@meridian/auth';
import type { Logger, TraceContext } from '@meridian/telemetry';
import type { OnBatch, TenantScope } from '@meridian/tenant-loaders';

/** The context of one request's resolvers, or of one event's; nothing of it outlives them. */
export interface SubgraphContext<Loaders> extends Requester {
  /**
   * Aborts at the request's deadline, or when the client hangs up; for `subscribe` resolvers, when the subscription
   * ends.
   */
  readonly signal: AbortSignal;
  /** For `subscribe` resolvers: the cursor of the last event that the subscriber has. Absent: events from now on. */
  readonly resumeAfter?: string | undefined;
  /** The DataLoaders of this request and tenant. Each root mutation field starts with new ones. */
  readonly loaders: Loaders;
  /** Replaces the loaders, and so their caches. */
  renewLoaders(): void;
}

/** The origin of a request, or of a subscription. */
export interface Requester {
  /** The caller from the verified token. `caller.tenantId` is the first argument of every store. */
  readonly caller: Caller;
  /** The request's `Authorization` field, for requests to other services as this caller. */
  readonly authorization: string;
  /** For the `traceparent` of such a request. */
  readonly trace: TraceContext;
  /** Writes lines with the request's identifiers. */
  readonly log: Logger;
}

export type CreateContext<Loaders> = (
  request: Requester & Pick<SubgraphContext<Loaders>, 'signal' | 'resumeAfter'>,
) => SubgraphContext<Loaders>;

export function contextCreator<Loaders>(
  createLoaders: (scope: TenantScope) => Loaders,
  onBatch: OnBatch,
): CreateContext<Loaders> {
  return (request) => {
    const scope = { tenantId: request.caller.tenantId, signal: request.signal, onBatch };
    return {
      caller: request.caller,
      authorization: request.authorization,
      trace: request.trace,
      signal: request.signal,
      resumeAfter: request.resumeAfter,
      loaders: createLoaders(scope),
      renewLoaders(this: { loaders: Loaders }) {
        // Apollo Server passes a copy of the context to resolvers: the copy must be changed.
        this.loaders = createLoaders(scope);
      },
      log: request.log,
    };
  };
}
