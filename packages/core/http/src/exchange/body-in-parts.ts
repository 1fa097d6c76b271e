import type { Writable } from 'node:stream';

/** A body that is there as a whole, or a part of one. A text is sent in UTF-8. */
export type WholeBody = string | Uint8Array;

/**
 * A body that comes into being while it is sent. Each part is sent at once, and the next one is asked for when the
 * connection takes it: a client that does not read has at most one part and a full buffer of its socket (64 KiB)
 * waiting, and is disconnected when nothing gets through for as long as a whole body may wait.
 *
 * `return()` of its iterator is called, once, when the client leaves before the end, and where no body is sent, as in
 * the response to HEAD. It is called while `next()` is pending too, which an async generator notices only at its next
 * `yield`: a generator that waits must also watch the signal of its request. An iterator that throws ends the
 * connection, so that the client sees an incomplete message.
 */
export type BodyInParts = AsyncIterable<WholeBody>;

export function isWhole(body: WholeBody | BodyInParts): body is WholeBody {
  return typeof body === 'string' || ArrayBuffer.isView(body);
}

/** Ends a body of which nothing is sent. */
export function dropParts(body: WholeBody | BodyInParts | undefined): void {
  if (body !== undefined && !isWhole(body)) {
    void finish(body[Symbol.asyncIterator]());
  }
}

/** Takes the parts of a body to the client. */
export interface PartsOutlet {
  /** The connection, or the response on it: its state and its events. */
  readonly stream: Pick<Writable, 'destroyed' | 'writableEnded' | 'once' | 'off'>;
  /** Sends a part, which is not empty. False when the client must read first. */
  write(part: WholeBody): boolean;
  /** Ends the body in order. */
  end(): void;
  /** Breaks the connection off. */
  fail(error: unknown): void;
}

/** Sends the parts of a body whose head is out, until they end, or the client leaves. Never rejects. */
export async function sendParts(parts: BodyInParts, outlet: PartsOutlet): Promise<void> {
  const { stream } = outlet;
  let iterator: AsyncIterator<WholeBody> | undefined;
  let isGone = false;
  let goOn: (() => void) | undefined;
  const leave = (): void => {
    isGone = true;
    goOn?.();
    void finish(iterator);
  };
  stream.once('close', leave);
  try {
    iterator = parts[Symbol.asyncIterator]();
    for (;;) {
      const next = await iterator.next();
      // After the client has ended its side, `close` follows.
      if (isGone || stream.destroyed || stream.writableEnded) {
        return;
      }
      if (next.done === true) {
        stream.off('close', leave);
        outlet.end();
        return;
      }
      if (next.value.length > 0 && !outlet.write(next.value)) {
        // Not a race with a promise of the end, which would keep a reaction for each part.
        await new Promise<void>((resolve) => {
          goOn = resolve;
          stream.once('drain', resolve);
        });
      }
    }
  } catch (error) {
    stream.off('close', leave);
    if (!isGone) {
      outlet.fail(error);
    }
  }
}

async function finish(iterator: AsyncIterator<unknown> | undefined): Promise<void> {
  try {
    await iterator?.return?.();
  } catch {
    // The response is over.
  }
}
