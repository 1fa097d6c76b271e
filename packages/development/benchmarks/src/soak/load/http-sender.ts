import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** One request of a client. */
export interface HttpRequest {
  readonly method: string;
  /** With its path and query string. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface HttpResponse {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** The end of a request without a response. */
export type Failure = 'refused' | 'broken' | 'late' | 'hung up';

/** A request got no response. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
  readonly failure: Failure;

  constructor(failure: Failure, cause: unknown) {
    super(`no response: ${failure}${cause instanceof Error ? ` (${codeOf(cause)})` : ''}`, { cause });
    this.failure = failure;
  }
}

export interface Sender {
  /**
   * Sends a request over a kept connection.
   *
   * @param timeoutMs the time after which the client hangs up
   * @throws {NoResponse}
   */
  send(message: HttpRequest, timeoutMs?: number): Promise<HttpResponse>;
  /** Closes the connections. */
  close(): void;
}

export interface SenderOptions {
  /** Called for each refused connection. The request is sent again afterwards, as none of it was sent. */
  readonly onRefused: (url: URL) => void;
}

/** Longer than the gateway's own deadline. A later response counts as none. */
const responseTimeoutMs = 15_000;
const unconnectedPauseMs = 50;
/** The time after which a service that refuses connections counts as gone. */
const maxRefusedMs = 60_000;

/**
 * Creates the sender of clients' requests. It behaves like a load balancer in front of a restarting service: it retries
 * a refused connection, on which no byte was sent. It never sends anything else twice.
 */
export function createSender({ onRefused }: SenderOptions): Sender {
  const agent = new Agent({ keepAlive: true });
  return {
    async send(message, timeoutMs) {
      const deadlineMs = performance.now() + maxRefusedMs;
      for (;;) {
        try {
          return await sendOnce(message, agent, timeoutMs);
        } catch (error) {
          const isRefused = error instanceof NoResponse && error.failure === 'refused';
          if (!isRefused || performance.now() > deadlineMs) {
            throw error;
          }
          onRefused(message.url);
          await delay(unconnectedPauseMs);
        }
      }
    },
    close: () => agent.destroy(),
  };
}

function sendOnce(
  { method, url, headers, body }: HttpRequest,
  agent: Agent,
  timeoutMs: number | undefined,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs ?? responseTimeoutMs);
    const fail = (error: Error): void =>
      reject(new NoResponse(signal.aborted ? endedBy(timeoutMs) : failureOf(error), error));
    const outgoing = request(
      url,
      { agent, method, headers: withLength(headers, body), signal },
      (incoming) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part: Buffer) => parts.push(part));
        incoming.on('error', fail);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(parts).toString(),
          }),
        );
      },
    );
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}

function withLength(headers: HttpRequest['headers'], body: string | undefined): HttpRequest['headers'] {
  return body === undefined ? headers : { ...headers, 'Content-Length': String(Buffer.byteLength(body)) };
}

const endedBy = (timeoutMs: number | undefined): Failure => (timeoutMs === undefined ? 'late' : 'hung up');

const failureOf = (error: Error): Failure => (codeOf(error) === 'ECONNREFUSED' ? 'refused' : 'broken');

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.message;
}
