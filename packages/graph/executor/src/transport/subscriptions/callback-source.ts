import type { Agent } from 'undici';

import { SubscriptionFailure } from '../../subscription-failure.ts';
import { SubgraphFailure, failureOfTime } from '../subgraph-failure.ts';
import type { EventSource, StreamFailure, StreamRequest } from './event-source.ts';
import { StreamLost, bodyOf, closableSink, positionEvent, subrequestFailure } from './event-source.ts';
import { jsonMembers, wholeOf } from '../../json/json-members.ts';
import { positionIn, readEvent, rejectionOf } from './read-event.ts';
import { readSmallBody } from './read-small-body.ts';

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
  const { origin, pathname, search } = new URL(url);
  const timeout = AbortSignal.timeout(timeoutMs);
  const { callbackUrl, subscriptionId, verifier } = expected;
  try {
    const { statusCode, body } = await agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...request.headers, accept: acceptedTypes },
      body: bodyOf(request, {
        subscription: { callbackUrl, subscriptionId, verifier, heartbeatIntervalMs },
      }),
      signal: AbortSignal.any([signal, timeout]),
    });
    const text = await readSmallBody(body);
    if (statusCode > 499) {
      const message = `the subgraph responded with the status ${statusCode}`;
      return new StreamLost('SUBREQUEST_HTTP_ERROR', message, { status: statusCode });
    }
    const members = jsonMembers(text, wholeOf(text));
    const errors = members?.get('errors');
    if (errors !== undefined) {
      return rejectionOf(subgraph, text.toString('utf8', errors.start, errors.end));
    }
    return statusCode > 299 || members === undefined
      ? subrequestFailure(
          subgraph,
          new SubgraphFailure(
            'SUBREQUEST_MALFORMED_RESPONSE',
            `the subgraph did not accept the subscription: status ${statusCode}`,
            { status: statusCode },
          ),
        )
      : { position: positionIn(text, members) };
  } catch (error) {
    return timeout.aborted
      ? subrequestFailure(subgraph, failureOfTime(timeoutMs))
      : new StreamLost('SUBREQUEST_HTTP_ERROR', 'the subgraph could not be reached', { cause: error });
  }
}
