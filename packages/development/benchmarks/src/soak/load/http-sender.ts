import { setTimeout as delay } from 'node:timers/promises';

import { Agent, request } from 'undici';

/** One request of a client. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
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

/** A request got no response. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
  readonly failure: 'refused' | 'broken' | 'late' | 'hung up';

  constructor(failure: NoResponse['failure'], cause: unknown) {
    super(`no response: ${failure} (${codeOf(cause)})`, { cause });
    this.failure = failure;
  }
}

/** Longer than the gateway's own deadline. A later response counts as none. */
const responseTimeoutMs = 15_000;
const unconnectedPauseMs = 50;
/** The time after which a service that refuses connections counts as gone. */
const maxRefusedMs = 60_000;

/**
 * Sends clients' requests, over kept connections. It behaves like a load balancer in front of a restarting service: it
 * retries a refused connection, on which no byte was sent. It never sends anything else twice.
 */
export class Sender {
  readonly #agent = new Agent();
  readonly #onRefused: (url: URL) => void;

  /** `onRefused` is called for each refused connection. */
  constructor(onRefused: (url: URL) => void) {
    this.#onRefused = onRefused;
  }

  /**
   * Sends a request.
   *
   * @param timeoutMs the time after which the client hangs up
   * @throws {NoResponse}
   */
  async send(message: HttpRequest, timeoutMs?: number): Promise<HttpResponse> {
    const deadlineMs = performance.now() + maxRefusedMs;
    for (;;) {
      try {
        return await this.#sendOnce(message, timeoutMs);
      } catch (error) {
        const isRefused = error instanceof NoResponse && error.failure === 'refused';
        if (!isRefused || performance.now() > deadlineMs) {
          throw error;
        }
        this.#onRefused(message.url);
        await delay(unconnectedPauseMs);
      }
    }
  }

  async #sendOnce({ url, body, ...message }: HttpRequest, timeoutMs?: number): Promise<HttpResponse> {
    const signal = AbortSignal.timeout(timeoutMs ?? responseTimeoutMs);
    try {
      const response = await request(url, {
        ...message,
        body: body ?? null,
        signal,
        dispatcher: this.#agent,
      });
      return { status: response.statusCode, headers: response.headers, body: await response.body.text() };
    } catch (error) {
      const ending = timeoutMs === undefined ? 'late' : 'hung up';
      const failure = codeOf(error) === 'ECONNREFUSED' ? 'refused' : 'broken';
      throw new NoResponse(signal.aborted ? ending : failure, error);
    }
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
