import { createHash } from 'node:crypto';

import { traceFields } from '../trace-fields.ts';
import type { EventSource, StreamRequest, StreamSink } from './event-source.ts';
import { positionEvent } from './event-source.ts';

export interface ShareStreamsOptions {
  /** The header fields, in lower case, in which equal requests may differ. */
  readonly ignoredHeaders: ReadonlySet<string>;
  /** Called for each request; true where it joined a stream. */
  readonly onRequest: (isShared: boolean) => void;
}

/**
 * Opens one stream for equal requests. Equal means the same body and header fields, byte for byte: everything on which a
 * subgraph can base its authorization. A request that resumes joins a stream that is exactly there. The stream ends when
 * the last consumer has left.
 */
export function shareStreams(
  source: EventSource,
  { ignoredHeaders, onRequest }: ShareStreamsOptions,
): EventSource {
  const streams = new Map<string, Set<SharedStream>>();
  const ignored = new Set([...ignoredHeaders, ...traceFields]);
  return {
    open(request, sink) {
      const key = keyOf(request, ignored);
      const equal = streams.get(key) ?? new Set();
      const joined = equal.values().find((stream) => stream.mayJoin(request.resumeAfter));
      onRequest(joined !== undefined);
      if (joined !== undefined) {
        return joined.join(sink, request.resumeAfter);
      }
      const stream = new SharedStream(source, request, () => {
        equal.delete(stream);
        if (equal.size === 0) {
          streams.delete(key);
        }
      });
      streams.set(key, equal.add(stream));
      return stream.join(sink, undefined);
    },
  };
}

/** A hash: tokens are long, and must not be kept longer than needed. */
function keyOf({ body, headers }: StreamRequest, ignored: ReadonlySet<string>): string {
  const fields = Object.entries(headers).filter(([name]) => !ignored.has(name));
  const text = JSON.stringify([body, fields.toSorted(([one], [other]) => (one < other ? -1 : 1))]);
  return createHash('sha256').update(text).digest('base64');
}

class SharedStream {
  readonly #consumers = new Set<StreamSink>();
  readonly #close: () => void;
  readonly #onEnd: () => void;
  #isOpen = false;
  /** The position that every consumer has reached. */
  #position: string | undefined;

  /** @param onEnd called once, when no consumer may join it any more */
  constructor(source: EventSource, request: StreamRequest, onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#position = request.resumeAfter;
    this.#close = source.open(request, {
      onOpen: () => {
        this.#isOpen = true;
        this.#tell((consumer) => consumer.onOpen());
      },
      onEvent: (event) => {
        this.#position = event.position;
        this.#tell((consumer) => consumer.onEvent(event));
      },
      onEnd: (failure) => {
        onEnd();
        this.#tell((consumer) => consumer.onEnd(failure));
        this.#consumers.clear();
      },
    });
  }

  mayJoin(resumeAfter: string | undefined): boolean {
    return resumeAfter === undefined || resumeAfter === this.#position;
  }

  /** @param known the position that the consumer has */
  join(sink: StreamSink, known: string | undefined): () => void {
    this.#consumers.add(sink);
    if (this.#isOpen) {
      // Never at once: the caller does not have the function yet that leaves it.
      queueMicrotask(() => {
        if (this.#consumers.has(sink)) {
          sink.onOpen();
          if (this.#position !== undefined && this.#position !== known) {
            sink.onEvent(positionEvent(this.#position));
          }
        }
      });
    }
    return () => {
      if (this.#consumers.delete(sink) && this.#consumers.size === 0) {
        this.#onEnd();
        this.#close();
      }
    };
  }

  /** A consumer that joins or leaves meanwhile is not told. */
  #tell(tell: (consumer: StreamSink) => void): void {
    const consumers = [...this.#consumers];
    for (const consumer of consumers) {
      if (this.#consumers.has(consumer)) {
        tell(consumer);
      }
    }
  }
}
