import type { Agent } from 'undici';

import { SubscriptionFailure } from '../../subscription-failure.ts';
import { SubgraphFailure, failureOfTime } from '../subgraph-failure.ts';
import type { EventSource, StreamFailure, StreamRequest } from './event-source.ts';
import { StreamLost, closableSink, positionEvent, subrequestFailure } from './event-source.ts';
import { positionIn, readEvent, rejectionOf } from './read-event.ts';
import { readSmallResponse, subscriptionRequest, unreachable } from './subscription-request.ts';

/** Receives the calls of subgraphs, for the streams that wait for them. */
export interface CallbackReceiver {
  /** Lets a subgraph call back. The stream's calls go to the handlers until `close` is called. */
  expect(handlers: CallbackHandlers): ExpectedCallbacks;
}

export interface ExpectedCallbacks {
  readonly callbackUrl: string;
  readonly subscriptionId: string;
  readonly verifier: string;
  close(): void;
}

export interface CallbackHandlers {
  /** The subgraph is there, and has not forgotten the stream. */
  onCheck(): void;
  /** @param response a GraphQL response as JSON */
  onNext(response: Buffer): void;
  /** @param errors a list of GraphQL errors as JSON; undefined for an orderly end */
  onComplete(errors: string | undefined): void;
}

export interface CallbackSourceOptions {
  readonly subgraph: string;
  readonly url: string;
  /** For the response to the subscription. */
  readonly timeoutMs: number;
  /** The time between the subgraph's checks; undefined for none. A stream without one for two of them is lost. */
  readonly heartbeatIntervalMs: number | undefined;
  readonly agent: Agent;
  readonly receiver: CallbackReceiver;
}

const acceptedTypes = 'application/json;callbackSpec=1.0, application/json';

/**
 * Creates a source whose subgraph calls back, by Apollo's HTTP callback protocol 1.0. The subgraph learns of an end from the
 * response to its next call.
 */
export function createCallbackSource(options: CallbackSourceOptions): EventSource {
  return {
    open(request, sink) {
      const { subgraph, heartbeatIntervalMs, receiver } = options;
      const guarded = closableSink(sink);
      const controller = new AbortController();
      let heartbeat: NodeJS.Timeout | undefined;
      let hasEvent = false;

      const end = (failure?: StreamFailure): void => {
        clearTimeout(heartbeat);
        heartbeat = undefined;
        expected.close();
        controller.abort();
        guarded.onEnd(failure);
      };
      const onSign = (): void => {
        heartbeat?.refresh();
      };
      const expected = receiver.expect({
        onCheck: onSign,
        onNext(response) {
          onSign();
          hasEvent = true;
          const event = readEvent(subgraph, response);
          if (event instanceof SubscriptionFailure) {
            end(event);
          } else {
            guarded.onEvent(event);
          }
        },
        onComplete(errors) {
          end(errors === undefined ? undefined : rejectionOf(subgraph, errors));
        },
      });
      const start = async (): Promise<void> => {
        const accepted = await subscribe(options, request, { expected, signal: controller.signal });
        if (accepted instanceof Error) {
          end(accepted);
          return;
        }
        if (heartbeatIntervalMs !== undefined && !controller.signal.aborted) {
          heartbeat = setTimeout(() => {
            end(new StreamLost('SUBSCRIPTION_HEARTBEAT_ERROR', 'the subgraph has stopped checking'));
          }, heartbeatIntervalMs * 2);
        }
        guarded.onOpen();
        if (accepted.position !== undefined && !hasEvent) {
          guarded.onEvent(positionEvent(accepted.position));
        }
      };
      void start();
      return () => {
        guarded.close();
        end();
      };
    },
  };
}

/** Sends the subscription. Once the subgraph has accepted it, the position at which it begins, if it has named one. */
async function subscribe(
  { subgraph, url, timeoutMs, heartbeatIntervalMs = 0, agent }: CallbackSourceOptions,
  request: StreamRequest,
  { expected, signal }: { readonly expected: ExpectedCallbacks; readonly signal: AbortSignal },
): Promise<StreamFailure | { readonly position: string | undefined }> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const { callbackUrl, subscriptionId, verifier } = expected;
  const extensions = { subscription: { callbackUrl, subscriptionId, verifier, heartbeatIntervalMs } };
  try {
    const response = await agent.request({
      ...subscriptionRequest(url, request, { accept: acceptedTypes, extensions }),
      signal: AbortSignal.any([signal, timeout]),
    });
    const { statusCode: status } = response;
    const accepted = await readSmallResponse(response, subgraph);
    if (accepted instanceof Error) {
      return accepted;
    }
    const { text, members } = accepted;
    if (status > 299 || members === undefined) {
      const message = `the subgraph did not accept the subscription: status ${status}`;
      const failure = new SubgraphFailure('SUBREQUEST_MALFORMED_RESPONSE', message, { status });
      return subrequestFailure(subgraph, failure);
    }
    return { position: positionIn(text, members) };
  } catch (error) {
    return timeout.aborted ? subrequestFailure(subgraph, failureOfTime(timeoutMs)) : unreachable(error);
  }
}
