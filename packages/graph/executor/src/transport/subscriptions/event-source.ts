import { SubscriptionFailure } from '../../subscription-failure.ts';
import { SubgraphFailure } from '../subgraph-failure.ts';
import type { SubgraphEvent } from '../subgraph-transport.ts';

/** Opens streams of one subgraph, over one protocol. */
export interface EventSource {
  /**
   * Opens a stream. It calls the sink later, never at once.
   *
   * @returns a function that ends the stream: the sink is not called any more
   */
  open(request: StreamRequest, sink: StreamSink): () => void;
}

export interface StreamRequest {
  /** A GraphQL request as JSON. */
  readonly body: string;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The position after which the stream begins; undefined for the events from now on. */
  readonly resumeAfter: string | undefined;
}

export interface StreamSink {
  /** The subgraph has accepted the subscription, as far as its protocol shows that before the first event. */
  onOpen(): void;
  onEvent(event: SubgraphEvent): void;
  /** The last call. Absent: the subgraph has completed the stream. */
  onEnd(failure?: StreamFailure): void;
}

/** A lost stream may be opened again; a refused one would be refused again. */
export type StreamFailure = StreamLost | SubscriptionFailure;

/** The connection of a stream is gone, although the subgraph has not completed it. */
export class StreamLost extends SubgraphFailure {}

/** The end of a stream as its consumer gets it. */
export function failureOfStream(subgraph: string, failure: StreamFailure): SubscriptionFailure {
  return failure instanceof SubscriptionFailure ? failure : subrequestFailure(subgraph, failure);
}

/** The end of a stream that a subgraph caused by what it sent: it would happen again. */
export function subrequestFailure(subgraph: string, cause: SubgraphFailure): SubscriptionFailure {
  return new SubscriptionFailure([{ kind: 'subrequest', code: cause.code, subgraph, cause }]);
}

/** A position without an event. */
export function positionEvent(position: string): SubgraphEvent {
  return { response: undefined, position };
}

/** A sink that ignores what comes after the end of its stream, or after its consumer has left. */
export function closableSink(sink: StreamSink): StreamSink & { close(): boolean } {
  let isClosed = false;
  return {
    onOpen() {
      if (!isClosed) {
        sink.onOpen();
      }
    },
    onEvent(event) {
      if (!isClosed) {
        sink.onEvent(event);
      }
    },
    onEnd(failure) {
      if (!isClosed) {
        isClosed = true;
        sink.onEnd(failure);
      }
    },
    close() {
      const wasClosed = isClosed;
      isClosed = true;
      return !wasClosed;
    },
  };
}

/** The body of a request, with the position to resume from. */
export function bodyOf({ body, resumeAfter }: StreamRequest, extensions: object = {}): string {
  const all = { ...extensions, ...(resumeAfter !== undefined && { resumeAfter }) };
  return Object.keys(all).length === 0 ? body : `${body.slice(0, -1)},"extensions":${JSON.stringify(all)}}`;
}
