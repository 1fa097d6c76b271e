import { Agent } from 'undici';
import type { Dispatcher } from 'undici';

import { SubscriptionFailure } from '../../subscription-failure.ts';
import { buildConnect } from '../build-connect.ts';
import type { Peer } from '../subgraph-client.ts';
import { SubgraphFailure, failureOfStatus, failureOfTime } from '../subgraph-failure.ts';
import type { EventSource, StreamFailure, StreamRequest } from './event-source.ts';
import { StreamLost, closableSink, positionEvent, subrequestFailure } from './event-source.ts';
import { createEventStreamReader } from './event-stream-reader.ts';
import { createMultipartReader } from './multipart-reader.ts';
import type { StreamParts } from './stream-parts.ts';
import { readEvent, rejectionOf } from './read-event.ts';
import { readSmallResponse, subscriptionRequest, unreachable } from './subscription-request.ts';

export interface HttpSourceOptions {
  readonly subgraph: string;
  readonly url: string;
  readonly protocol: 'sse' | 'multipart';
  /** For connecting, and for the head of the response. */
  readonly timeoutMs: number;
  /** Of one event. */
  readonly maxEventBytes: number;
  readonly agent: Agent;
}

const accepted = {
  sse: 'text/event-stream',
  multipart: 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0, application/json',
};

/** An agent for streams of a peer: no limit for the time of a body, or for the number of connections. */
export function createStreamAgent(peer: Peer = {}): Agent {
  return new Agent({
    bodyTimeout: 0,
    maxHeaderSize: 65_536,
    pipelining: 0,
    connect: buildConnect(peer, {}),
  });
}

/** Creates a source over HTTP: server-sent events in the distinct mode of graphql-sse, or multipart subscriptions. */
export function createHttpSource(options: HttpSourceOptions): EventSource {
  return {
    open(request, sink) {
      const guarded = closableSink(sink);
      const controller = new AbortController();
      const run = async (): Promise<void> => {
        let failure: StreamFailure | undefined;
        try {
          failure = await readStream(options, request, { sink: guarded, signal: controller.signal });
        } catch (error) {
          failure = failureOf(error, options.subgraph);
        }
        guarded.onEnd(failure);
        controller.abort();
      };
      void run();
      return () => {
        guarded.close();
        controller.abort();
      };
    },
  };
}

/** The end of a stream; undefined when the subgraph has completed it. */
async function readStream(
  options: HttpSourceOptions,
  request: StreamRequest,
  { sink, signal }: { readonly sink: ReturnType<typeof closableSink>; readonly signal: AbortSignal },
): Promise<StreamFailure | undefined> {
  const { subgraph, protocol, maxEventBytes } = options;
  const response = await send(options, request, signal);
  const mediaType = String(response.headers['content-type'] ?? '');
  const boundary = boundaryOf(mediaType);
  const isStream = protocol === 'sse' ? mediaType.startsWith('text/event-stream') : boundary !== undefined;
  // GraphQL Yoga streams errors with the status 500.
  if (response.statusCode > 500 || !isStream) {
    return await readRejection(response, subgraph);
  }
  let end: { readonly failure: StreamFailure | undefined } | undefined;
  const parts: StreamParts = {
    onResponse(text) {
      const event = readEvent(subgraph, text);
      if (event instanceof SubscriptionFailure) {
        end ??= { failure: event };
      } else {
        sink.onEvent(event);
      }
    },
    onPosition: (position) => sink.onEvent(positionEvent(position)),
    onErrors: (errors) => (end ??= { failure: rejectionOf(subgraph, errors) }),
    onComplete: () => (end ??= { failure: undefined }),
  };
  const read =
    protocol === 'sse'
      ? createEventStreamReader(parts, maxEventBytes)
      : createMultipartReader(parts, maxEventBytes, boundary ?? '');
  sink.onOpen();
  for await (const chunk of response.body) {
    read(chunk);
    if (end !== undefined) {
      return end.failure;
    }
  }
  return new StreamLost('SUBREQUEST_HTTP_ERROR', 'the stream ended before it was complete');
}

async function send(
  { url, protocol, timeoutMs, agent }: Pick<HttpSourceOptions, 'url' | 'protocol' | 'timeoutMs' | 'agent'>,
  request: StreamRequest,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  try {
    return await agent.request({
      ...subscriptionRequest(url, request, { accept: accepted[protocol] }),
      signal: AbortSignal.any([signal, timeout.signal]),
      headersTimeout: 0,
    });
  } catch (error) {
    throw timeout.signal.aborted ? failureOfTime(timeoutMs) : unreachable(error);
  } finally {
    clearTimeout(timer);
  }
}

/** The boundary of a multipart response; undefined for any other. RFC 2046 §5.1.1. */
function boundaryOf(mediaType: string): string | undefined {
  const [type = '', ...parameters] = mediaType.split(';');
  const boundary = parameters
    .map((parameter) => /^boundary="?([^"]+)"?$/i.exec(parameter.trim())?.[1])
    .find(Boolean);
  return type.trim().toLowerCase() === 'multipart/mixed' ? (boundary ?? '-') : undefined;
}

/** The failure of a response without a stream: its GraphQL errors, or its status. */
async function readRejection(response: Dispatcher.ResponseData, subgraph: string): Promise<StreamFailure> {
  const { statusCode } = response;
  const read = await readSmallResponse(response, subgraph);
  if (read instanceof Error) {
    return read;
  }
  return subrequestFailure(
    subgraph,
    statusCode > 299
      ? failureOfStatus(statusCode)
      : new SubgraphFailure('SUBREQUEST_MALFORMED_RESPONSE', 'the response is not a stream'),
  );
}

function failureOf(error: unknown, subgraph: string): StreamFailure {
  if (error instanceof StreamLost) {
    return error;
  }
  return error instanceof SubgraphFailure
    ? subrequestFailure(subgraph, error)
    : new StreamLost('SUBREQUEST_HTTP_ERROR', 'the stream was interrupted', { cause: error });
}
