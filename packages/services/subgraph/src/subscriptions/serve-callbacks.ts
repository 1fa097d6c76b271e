import { setTimeout as delay } from 'node:timers/promises';
import type { IncomingMessage } from 'node:http';

import type { StopSignal } from '@meridian/cancellation';
import { sendResponse } from '@meridian/http';
import type { Middleware } from '@meridian/http';
import { isRecord } from '@meridian/settings/values';
import type { Logger } from '@meridian/telemetry';
import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql';

import { readGraphqlBody, requesterOf } from '../server/serve-graphql.ts';
import type { Subscriptions } from './open-subscription.ts';
import { ResultStream } from './result-stream.ts';

export interface CallbacksOptions {
  readonly subscriptions: Subscriptions;
  /** The URL of gateways that may be called, with all paths below it; undefined for none. */
  readonly allowedUrl: string | undefined;
  readonly stopping: StopSignal | undefined;
}

/** The time for one call. */
const callTimeoutMs = 5000;
/** The times before a call that failed is made again; after the last, the stream ends. */
const retryMs = [100, 200, 400, 800, 1600];

/** True for a request for a subscription whose results are to be sent to a URL. */
export function wantsCallback({ headers: { accept } }: IncomingMessage): boolean {
  return accept?.includes('callbackSpec=') === true;
}

/**
 * Serves subscriptions by Apollo's HTTP callback protocol 1.0, after `requestDeadline` and `authenticate`: each result is
 * a request to the gateway. The cursor at which they begin is `extensions.cursor` of the response. A service that stops ends its streams without `complete`: the gateway misses its checks, and
 * opens them again elsewhere.
 *
 * Not Apollo Server's plugin: it calls any URL, shows errors as they are, and has no place for cursors.
 */
export function serveCallbacks({ subscriptions, allowedUrl, stopping }: CallbacksOptions): Middleware {
  return async (request, response) => {
    const respond = (status: number, body: object): void =>
      sendResponse(request, response, {
        status,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(body),
      });
    const reject = (code: string, message: string): void =>
      respond(400, { errors: [{ message, extensions: { code } }] });

    const body = await readGraphqlBody(request);
    const target = targetIn(body);
    if (target === undefined) {
      reject('BAD_REQUEST', 'extensions.subscription has callbackUrl, subscriptionId and verifier');
      return;
    }
    if (allowedUrl === undefined || !isBelow(target.url, allowedUrl)) {
      reject('CALLBACK_URL_NOT_ALLOWED', 'The callback URL is not below SUBSCRIPTION_CALLBACK_URL');
      return;
    }
    const requester = requesterOf(request);
    const opened = await subscriptions.open(body, requester);
    if (!(opened instanceof ResultStream)) {
      respond(400, { errors: opened });
      return;
    }
    const stream = new CallbackStream(target, opened, { log: requester.log, stopping });
    if (!(await stream.begin())) {
      respond(500, {
        errors: [
          {
            message: 'The callback URL did not accept the subscription',
            extensions: { code: 'CALLBACK_FAILED' },
          },
        ],
      });
      return;
    }
    const { cursor } = opened;
    respond(200, { data: null, ...(cursor !== undefined && { extensions: { cursor } }) });
    void stream.run((error) => subscriptions.failureOf(error, requester));
  };
}

/** The place to which a subscription's results go. */
interface CallbackTarget {
  readonly url: URL;
  readonly id: string;
  readonly verifier: string;
  /** 0 for no checks. */
  readonly heartbeatIntervalMs: number;
}

type Call =
  | { readonly action: 'check' }
  | { readonly action: 'next'; readonly payload: FormattedExecutionResult }
  | { readonly action: 'complete'; readonly errors?: readonly GraphQLFormattedError[] };

class CallbackStream {
  readonly #target: CallbackTarget;
  readonly #results: ResultStream;
  readonly #log: Logger;
  readonly #stopping: StopSignal | undefined;
  readonly #stop = (): void => this.#end();
  #heartbeat: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(
    target: CallbackTarget,
    results: ResultStream,
    { log, stopping }: { readonly log: Logger; readonly stopping: StopSignal | undefined },
  ) {
    this.#target = target;
    this.#results = results;
    this.#log = log;
    this.#stopping = stopping;
    stopping?.addEventListener('abort', this.#stop);
  }

  /** False where the gateway does not know the subscription. */
  async begin(): Promise<boolean> {
    const isKnown = await this.#call({ action: 'check' });
    if (!isKnown) {
      this.#end();
    } else if (this.#target.heartbeatIntervalMs > 0) {
      this.#beatLater();
    }
    return isKnown;
  }

  async run(failureOf: (error: unknown) => readonly GraphQLFormattedError[]): Promise<void> {
    try {
      for await (const payload of this.#results) {
        if (!(await this.#call({ action: 'next', payload }))) {
          this.#end();
          return;
        }
      }
      await this.#complete({ action: 'complete' });
    } catch (error) {
      await this.#complete({ action: 'complete', errors: failureOf(error) });
    }
  }

  async #complete(call: Call): Promise<void> {
    if (!this.#isOver) {
      this.#end();
      await this.#call(call);
    }
  }

  #beatLater(): void {
    this.#heartbeat = setTimeout(() => void this.#beat(), this.#target.heartbeatIntervalMs);
  }

  async #beat(): Promise<void> {
    const isKnown = await this.#call({ action: 'check' });
    if (this.#isOver) {
      return;
    }
    if (isKnown) {
      this.#beatLater();
    } else {
      this.#end();
    }
  }

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#heartbeat);
    this.#stopping?.removeEventListener('abort', this.#stop);
    void this.#results.return();
  }

  /** Calls the gateway, again where it fails; false where the gateway does not want the subscription any more. */
  async #call(call: Call): Promise<boolean> {
    const { url, id, verifier } = this.#target;
    const body = JSON.stringify({ kind: 'subscription', id, verifier, ...call });
    for (const pauseMs of [...retryMs, undefined]) {
      try {
        const { status } = await post(url, body);
        if (status < 500) {
          return status < 300;
        }
        throw new Error(`status ${status}`);
      } catch (error) {
        if (pauseMs === undefined || (this.#isOver && call.action !== 'complete')) {
          this.#log.warn({ err: error, action: call.action }, 'the callback of a subscription failed');
          return false;
        }
        await delay(pauseMs, undefined, { ref: false });
      }
    }
    return false;
  }
}

async function post(url: URL, body: string): Promise<{ readonly status: number }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'subscription-protocol': 'callback/1.0' },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(callTimeoutMs),
  });
  await response.body?.cancel();
  return response;
}

function targetIn(body: unknown): CallbackTarget | undefined {
  const extensions = isRecord(body) ? body['extensions'] : undefined;
  const members = isRecord(extensions) ? extensions['subscription'] : undefined;
  if (!isRecord(members)) {
    return undefined;
  }
  const { callbackUrl, subscriptionId: id, verifier, heartbeatIntervalMs = 5000 } = members;
  const isTarget =
    typeof callbackUrl === 'string' &&
    URL.canParse(callbackUrl) &&
    typeof id === 'string' &&
    typeof verifier === 'string' &&
    typeof heartbeatIntervalMs === 'number' &&
    heartbeatIntervalMs >= 0;
  return isTarget ? { url: new URL(callbackUrl), id, verifier, heartbeatIntervalMs } : undefined;
}

/** True for a URL at an allowed one, or at a path below it. */
function isBelow({ origin, pathname, username, password }: URL, allowed: string): boolean {
  const { origin: allowedOrigin, pathname: allowedPath } = new URL(allowed);
  const folder = allowedPath.endsWith('/') ? allowedPath : `${allowedPath}/`;
  return (
    origin === allowedOrigin &&
    username + password === '' &&
    (pathname === allowedPath || pathname.startsWith(folder))
  );
}
