import type { EventSource, StreamFailure, StreamSink } from './event-source.ts';
import { StreamLost } from './event-source.ts';

export interface KeepStreamsOptions {
  /** The most attempts in a row; 0 for none. */
  readonly maxAttempts: number;
  /** Before the first attempt. It doubles for each further one. */
  readonly delayMs: number;
  /** Called when a lost stream is open again, or could not be opened. */
  readonly onReconnect?: (outcome: 'open' | 'failed') => void;
  /** A number from 0, below 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** The longest delay between two attempts. */
const maxDelayMs = 30_000;

/** A stream that stays open for this long counts as open again: the next loss has all attempts. */
const settledMs = 10_000;

/**
 * Opens lost streams again, each after the last position that it had: where the subgraph gives positions, no event
 * is missing or told twice, also where none came before the loss. A stream that was never open is not opened again: its client decides.
 */
export function keepStreams(source: EventSource, options: KeepStreamsOptions): EventSource {
  const { maxAttempts, delayMs, onReconnect, random = Math.random } = options;
  if (maxAttempts === 0) {
    return source;
  }
  return {
    open(request, sink) {
      let position = request.resumeAfter;
      let wasOpen = false;
      let failedAttempts = 0;
      let openedMs = 0;
      let timer: NodeJS.Timeout | undefined;
      let close: (() => void) | undefined;

      const connect = (): void => {
        close = source.open({ ...request, resumeAfter: position }, attempt);
      };
      const onLost = (failure: StreamLost): void => {
        if (performance.now() - openedMs > settledMs) {
          failedAttempts = 0;
        }
        if (failedAttempts === maxAttempts) {
          onReconnect?.('failed');
          sink.onEnd(failure);
          return;
        }
        const maxMs = Math.min(delayMs * 2 ** failedAttempts, maxDelayMs);
        failedAttempts += 1;
        // A subgraph that comes back must not get all its streams at once.
        timer = setTimeout(connect, maxMs * (0.5 + random() / 2));
      };
      const attempt: StreamSink = {
        onOpen() {
          openedMs = performance.now();
          if (wasOpen) {
            onReconnect?.('open');
          } else {
            wasOpen = true;
            sink.onOpen();
          }
        },
        onEvent(event) {
          if (event.response !== undefined) {
            failedAttempts = 0;
          }
          position = event.position ?? position;
          sink.onEvent(event);
        },
        onEnd(failure?: StreamFailure) {
          if (wasOpen && failure instanceof StreamLost) {
            onLost(failure);
          } else {
            sink.onEnd(failure);
          }
        },
      };
      connect();
      return () => {
        clearTimeout(timer);
        close?.();
      };
    },
  };
}
