import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

import type { CallbackHandlers, ExpectedCallbacks, SubgraphCallback } from '@meridian/executor/subscriptions';

/** The streams of this process that wait for calls of subgraphs. */
export type CallbackStreams = ReturnType<typeof createCallbackStreams>;

/** This process, another worker's own port, or another replica's URL for callbacks. */
export type CallbackHolder = 'this' | { readonly port: number } | { readonly replicaUrl: string };

export interface CallbackStreamsOptions {
  /** The key of verifiers. */
  readonly secret: string;
  /** The port of this worker alone; undefined for a process without others. */
  readonly ownPort: number | undefined;
  /** The URL under which other replicas pass calls on to this one; undefined where calls come to the right one. */
  readonly replicaUrl: string | undefined;
}

/**
 * Creates them. An identifier has the worker's own port, and the URL of its replica. Its verifier proves that a process
 * with the same secret made it: a call can be passed on to no other place.
 */
export function createCallbackStreams({ secret, ownPort = 0, replicaUrl }: CallbackStreamsOptions) {
  const replica = replicaUrl === undefined ? '' : Buffer.from(replicaUrl).toString('base64url');
  const streams = new Map<string, CallbackHandlers>();
  const verifierOf = (id: string): Buffer => createHmac('sha256', secret).update(id).digest();
  return {
    /** @param publicUrl the URL that a subgraph gets, before the identifier */
    expect: (publicUrl: string, handlers: CallbackHandlers): ExpectedCallbacks => {
      const subscriptionId = `${ownPort}.${randomUUID()}.${replica}`;
      streams.set(subscriptionId, handlers);
      return {
        callbackUrl: `${publicUrl}/${subscriptionId}`,
        subscriptionId,
        verifier: verifierOf(subscriptionId).toString('hex'),
        close: () => void streams.delete(subscriptionId),
      };
    },
    /** Where a stream is held; undefined where the verifier does not fit the identifier. */
    holderOf({ id, verifier }: SubgraphCallback): CallbackHolder | undefined {
      const expected = verifierOf(id);
      const given = Buffer.from(verifier, 'hex');
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        return undefined;
      }
      const [port, , replicaInId = ''] = id.split('.');
      if (replicaInId !== replica) {
        return { replicaUrl: Buffer.from(replicaInId, 'base64url').toString() };
      }
      return Number(port) === ownPort ? 'this' : { port: Number(port) };
    },
    /** Passes a call on to its stream; false where this process has none with its identifier. */
    deliver({ action, id, payload, errors }: SubgraphCallback): boolean {
      const handlers = streams.get(id);
      if (handlers === undefined) {
        return false;
      }
      if (action === 'check') {
        handlers.onCheck();
      } else if (action === 'next') {
        handlers.onNext(payload ?? Buffer.alloc(0));
      } else {
        handlers.onComplete(errors);
      }
      return true;
    },
  };
}
