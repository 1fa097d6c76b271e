import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

import type { HttpResponse } from './http-response.ts';
import type { ReadBodyOptions } from './read-body.ts';

/** The parts of a request that arrive before its body. `IncomingMessage` of Node has them too. */
export interface RequestHead {
  readonly method?: string | undefined;
  /** The request target. */
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/**
 * A request and its response, independent of the server that carries them: `node:http`, or the fast path for plain
 * requests, which has no `IncomingMessage` and no `ServerResponse`.
 */
export interface Exchange extends RequestHead {
  readonly method: string;
  readonly url: string;
  /** Shared by requests with the same head: never changed. */
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** The address of the other side of the connection. */
  readonly peer: string | undefined;
  /** Reads the whole body, as `readBody` does. A body that has arrived already is there at once. */
  readBody(options: ReadBodyOptions): Buffer | Promise<Buffer>;
  /**
   * The body, in place of `readBody`, as it arrives. It is closed before its end where the client leaves. Must be
   * resumed before the response is sent. Absent from an exchange that has its body as a whole.
   */
  openBody?(): Readable;
  /**
   * Sends the response, once. A client that has left gets nothing. A body in parts is sent after the call.
   *
   * @param fields further header fields: each name, followed by its value
   * @throws {Error} when the status or a field cannot be sent, which leaves the request without a response, and when it
   * has one already
   */
  send(response: HttpResponse, fields: readonly string[]): void;
  /** Ends the connection without a response. Does nothing once the exchange has ended. */
  destroy(): void;
  /** Adds a listener for the end of the exchange. It is called at once if the client left before. */
  onEnd(listener: EndListener): void;
}

/**
 * Called once, when the response is out, or when the connection is gone before.
 *
 * @param status of the response; 499 where the client left before it had all of it, and 500 where the body failed
 * @param failure the error of a body in parts
 */
export type EndListener = (status: number, failure?: unknown) => void;

/** The status in logs and metrics of a response whose body failed after its head was out. */
export const failedBodyStatus = 500;

/** The status in logs, metrics and traces of a request whose client hung up before the end of the response. */
export const clientClosedStatus = 499;

/** Serves exchanges, whatever carries them. A promise is not awaited, and must not be rejected. */
export type ServeExchange = (exchange: Exchange) => void | Promise<void>;
