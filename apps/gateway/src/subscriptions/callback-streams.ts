import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

import type { CallbackHandlers, ExpectedCallbacks, SubgraphCallback } from '@meridian/executor/subscriptions';

/** The streams of this process that wait for calls of subgraphs. */
export interface CallbackStreams {
  /** @param publicUrl the URL that a subgraph gets, before the identifier */
  readonly expect: (publicUrl: string, handlers: CallbackHandlers) => ExpectedCallbacks;
  /** The process that holds a stream; undefined where the verifier does not fit the identifier. */
  holderOf(callback: SubgraphCallback): CallbackHolder | undefined;
  /** Passes a call on to its stream; false where this process has none with its identifier. */
  deliver(callback: SubgraphCallback): boolean;
}

/** This process, or another worker's own port. */
export type CallbackHolder = 'this' | { readonly port: number };

export interface CallbackStreamsOptions {
  /** The key of verifiers. */
  readonly secret: string;
  /** The port of this worker alone; undefined for a process without others. */
  readonly ownPort: number | undefined;
}

/**
 * Creates them. An identifier begins with the worker's own port, and its verifier proves that a worker with the same
 * secret made it: a call can be passed on to no other port.
 */
export function createCallbackStreams({ secret, ownPort }: CallbackStreamsOptions): CallbackStreams {
  const streams = new Map<string, CallbackHandlers>();
  const verifierOf = (id: string): Buffer => createHmac('sha256', secret).update(id).digest();
  return {
    expect(publicUrl, handlers) {
      const subscriptionId = `${ownPort ?? 0}-${randomUUID()}`;
      streams.set(subscriptionId, handlers);
      return {
        callbackUrl: `${publicUrl}/${subscriptionId}`,
        subscriptionId,
        verifier: verifierOf(subscriptionId).toString('hex'),
        close: () => void streams.delete(subscriptionId),
      };
    },
    holderOf({ id, verifier }) {
      const expected = verifierOf(id);
      const given = Buffer.from(verifier, 'hex');
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        return undefined;
      }
      const port = Number.parseInt(id, 10);
      return port === (ownPort ?? 0) ? 'this' : { port };
    },
    deliver({ action, id, payload, errors }) {
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
