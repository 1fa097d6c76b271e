import type { IncomingHttpHeaders } from 'node:http';
import { constants } from 'node:http2';
import type { Http2Session, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';

import { dropParts, isWhole, sendParts } from '../exchange/body-in-parts.ts';
import type { BodyInParts, WholeBody } from '../exchange/body-in-parts.ts';
import type { HttpResponse } from '../exchange/http-response.ts';
import { clientClosedStatus, failedBodyStatus } from '../exchange/exchange.ts';
import type { EndListener, Exchange } from '../exchange/exchange.ts';
import { nodeHttp } from '../exchange/node-http.ts';
import { checkDeclaredLength, receiveBody } from '../exchange/read-body.ts';
import type { ReadBodyOptions } from '../exchange/read-body.ts';
import type { Output } from '../server/limit-output.ts';
import type { Http2Head } from './http2-message.ts';

const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR } = constants;
const noBytes = Buffer.alloc(0);
/** A longer body is sent in pieces: each that is out shows that the client reads. */
const pieceBytes = 32_768;

/** Fields about a connection, which a message of HTTP/2 must not have (RFC 9113 §8.2.2). */
const connectionFields: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** A request on a stream of HTTP/2. */
export class Http2Exchange implements Exchange, Output {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly peer: string | undefined;
  readonly startedMs = performance.now();
  readonly #stream: ServerHttp2Stream;
  readonly #session: Http2Session | undefined;
  readonly #onEnd: EndListener[] = [];
  #status = clientClosedStatus;
  #failure: unknown = undefined;
  #hasEnded = false;
  #sentBytes = 0;
  /** Of a body that is there as a whole, and sent in pieces. */
  #wholeBytes = 0;

  /** @param onClosed called at its end, with true when the client has its whole response */
  constructor(
    stream: ServerHttp2Stream,
    { method, url, headers }: Http2Head,
    {
      peer,
      onClosed,
    }: { readonly peer: string | undefined; readonly onClosed: (isComplete: boolean) => void },
  ) {
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.peer = peer;
    this.#stream = stream;
    this.#session = stream.session;
    if (method === 'GET' || method === 'HEAD') {
      // Its end may come in a frame of its own, which nothing else would read.
      stream.resume();
    }
    stream
      // The stream closes next.
      .on('error', () => {})
      // RFC 9113 §8.1: the client need not send the rest of its request.
      .on('finish', () => {
        if (!stream.readableEnded) {
          stream.close(NGHTTP2_NO_ERROR);
        }
      })
      .once('close', () => {
        this.#hasEnded = true;
        onClosed(this.#isComplete);
        const status = this.#finalStatus();
        this.#onEnd.forEach((listener) => listener(status, this.#failure));
      });
  }

  readBody(options: ReadBodyOptions): Buffer | Promise<Buffer> {
    checkDeclaredLength(this.headers, options);
    const stream = this.#stream;
    return stream.endAfterHeaders
      ? noBytes
      : receiveBody(stream, { ...options, isComplete: () => stream.readableEnded });
  }

  openBody(): ServerHttp2Stream {
    return this.#stream;
  }

  send({ status, headers = {}, body = '' }: HttpResponse, fields: readonly string[]): void {
    const stream = this.#stream;
    const hasBody = status !== 204 && status !== 304;
    const head = responseHead(status, [...Object.entries(headers).flat(), ...fields]);
    if (hasBody && isWhole(body)) {
      head['content-length'] = Buffer.byteLength(body);
    }
    if (stream.headersSent) {
      throw new Error('The request has its response already');
    }
    if (stream.destroyed || stream.closed) {
      dropParts(body);
      return;
    }
    this.#status = status;
    if (!hasBody || this.method === 'HEAD') {
      dropParts(body);
      stream.respond(head, { endStream: true });
      return;
    }
    stream.respond(head);
    if (!isWhole(body)) {
      this.#sendParts(body);
    } else if (body.length <= pieceBytes) {
      this.#sentBytes += Buffer.byteLength(body);
      stream.end(body);
    } else {
      this.#wholeBytes = Buffer.byteLength(body);
      this.#sendParts(piecesOf(body));
    }
  }

  #sendParts(parts: BodyInParts): void {
    const stream = this.#stream;
    void sendParts(parts, {
      stream,
      write: (part) => {
        this.#sentBytes += Buffer.byteLength(part);
        return stream.write(part);
      },
      end: () => void stream.end(),
      fail: (error) => {
        this.#failure = error;
        stream.close(NGHTTP2_INTERNAL_ERROR);
      },
    });
  }

  /**
   * True when the client has its whole response. Node ends a stream that is reset, too. It also closes a stream before it
   * finishes, when the request has ended in a frame of its own and the response is out.
   */
  get #isComplete(): boolean {
    const { headersSent, writableEnded, writableFinished, rstCode } = this.#stream;
    const isOut = writableFinished || (writableEnded && this.#session?.destroyed === false);
    return headersSent && isOut && rstCode === NGHTTP2_NO_ERROR;
  }

  #finalStatus(): number {
    if (this.#isComplete) {
      return this.#status;
    }
    return this.#failure === undefined ? clientClosedStatus : failedBodyStatus;
  }

  destroy(): void {
    this.#stream.close(NGHTTP2_INTERNAL_ERROR);
  }

  onEnd(listener: EndListener): void {
    if (this.#hasEnded) {
      listener(this.#finalStatus(), this.#failure);
    } else {
      this.#onEnd.push(listener);
    }
  }

  /** True while the body of the request has not arrived completely. */
  get isReceiving(): boolean {
    return !this.#stream.endAfterHeaders && !this.#stream.readableEnded;
  }

  waitingBytes(): number {
    const { writableLength, writableFinished } = this.#stream;
    return writableFinished ? 0 : Math.max(writableLength, this.#wholeBytes - this.acceptedBytes());
  }

  acceptedBytes(): number {
    return this.#sentBytes - this.#stream.writableLength;
  }

  /** Ends the stream of a client that does not read or send. */
  end(): void {
    this.#stream.close(NGHTTP2_CANCEL);
  }
}

/** @throws {Error} when the status or a field cannot be sent */
function responseHead(status: number, fields: readonly string[]): OutgoingHttpHeaders {
  const head: Record<string, number | string | string[]> = { ':status': status };
  for (let index = 0; index < fields.length; index += 2) {
    const name = (fields[index] ?? '').toLowerCase();
    const value = fields[index + 1] ?? '';
    if (connectionFields.has(name) || name === 'content-length') {
      continue;
    }
    nodeHttp.validateHeaderName(name);
    nodeHttp.validateHeaderValue(name, value);
    const before = head[name];
    head[name] = before === undefined ? value : [before, value].flat().map(String);
  }
  return head;
}

// oxlint-disable-next-line typescript/require-await -- the body is there; only its way out takes time
async function* piecesOf(body: WholeBody): AsyncGenerator<Uint8Array> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    yield bytes.subarray(start, start + pieceBytes);
  }
}
