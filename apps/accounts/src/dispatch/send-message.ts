import { Agent, errors, request } from 'undici';

import { AddressNotAllowed, createPublicConnector, NameNotFound } from './public-connector.ts';
import type { PublicConnectorOptions } from './public-connector.ts';
import { signatureOf } from '../webhooks/webhook-secret.ts';
import type { Message } from '../webhooks/webhook-secret.ts';
import type { DeliveryError } from '../webhooks/delivery.ts';

/** The result of an attempt. */
export interface AttemptResult {
  /** Of the response; null where none came. */
  readonly status: number | null;
  /** Null after a success. */
  readonly error: DeliveryError | null;
}

/** Sends messages to webhooks. */
export interface Sender {
  /**
   * Sends a message once. A receiver that responds with 2xx within the deadline has it.
   *
   * @param secrets all that sign
   * @throws {Error} the signal's reason when that aborts
   */
  send(
    url: string,
    message: Message,
    secrets: readonly string[],
    signal: AbortSignal,
  ): Promise<AttemptResult>;
  /** Ends idle connections. */
  close(): Promise<void>;
}

export type SenderOptions = Pick<PublicConnectorOptions, 'addresses' | 'resolveName'> & {
  /** Default: 10 s. Contract: Webhooks. */
  readonly deadlineMs?: number;
};

/** Of a response, its head and this much are read, for at most this long after the head. */
const maxBodyBytes = 65_536;
const maxBodyMs = 1000;
const maxHeadBytes = 16_384;

/** An idle connection is kept for so long: a burst shares a few, and ten thousand endpoints do not pile them up. */
const keepAliveMs = 1000;

/** Sends over HTTP/1.1, follows no redirect, keeps no cookie, and uses no proxy. */
export function createSender({ deadlineMs = 10_000, ...connecting }: SenderOptions): Sender {
  const agent = new Agent({
    connect: createPublicConnector({ ...connecting, timeoutMs: deadlineMs }),
    allowH2: false,
    maxHeaderSize: maxHeadBytes,
    headersTimeout: deadlineMs,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
  });
  return {
    async send(url, message, secrets, signal) {
      signal.throwIfAborted();
      const attempt = new AbortController();
      const end = () => attempt.abort();
      const deadline = setTimeout(end, deadlineMs);
      signal.addEventListener('abort', end);
      try {
        const { statusCode, body } = await request(url, {
          dispatcher: agent,
          method: 'POST',
          headers: {
            'content-type': 'application/cloudevents+json; charset=utf-8',
            'user-agent': 'Meridian-Webhooks/1.0',
            'webhook-id': message.id,
            'webhook-timestamp': String(message.timestamp),
            'webhook-signature': signatureOf(message, secrets),
          },
          body: message.body,
          signal: attempt.signal,
        });
        // Read away, so that the connection can be used again.
        await body
          .dump({ limit: maxBodyBytes, signal: AbortSignal.timeout(maxBodyMs) })
          .catch(() => undefined);
        return { status: statusCode, error: errorOfStatus(statusCode) };
      } catch (error) {
        signal.throwIfAborted();
        return { status: null, error: attempt.signal.aborted ? 'timeout' : errorOf(error) };
      } finally {
        clearTimeout(deadline);
        signal.removeEventListener('abort', end);
      }
    },
    close: () => agent.close(),
  };
}

function errorOfStatus(status: number): DeliveryError | null {
  if (status >= 200 && status < 300) {
    return null;
  }
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

function errorOf(error: unknown): DeliveryError {
  if (error instanceof AddressNotAllowed) {
    return 'address-not-allowed';
  }
  if (error instanceof NameNotFound) {
    return 'name-not-found';
  }
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) {
    return 'invalid-response';
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/TIMEOUT|ETIMEDOUT/u.test(code)) {
    return 'timeout';
  }
  return /TLS|SSL|CERT|EPROTO|SIGNATURE/u.test(code) ? 'tls-failed' : 'connection-failed';
}
