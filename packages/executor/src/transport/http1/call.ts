import type { Deadline, DeadlineQueue } from '@meridian/cancellation';

import { timeIsOver } from '../deadline.ts';
import { decodeBody } from '../decode-body.ts';
import type { ClientRequest, SubgraphTarget } from '../subgraph-client.ts';
import { failureOf, refusedWith } from '../subgraph-failure.ts';
import type { SubgraphResponse } from '../subgraph-transport.ts';
import type { Connection, Exchange } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import type { RequestText } from './request-text.ts';
import type { Response } from './response-reader.ts';

export interface CallOptions {
  readonly pool: ConnectionPool;
  /** Of the target's timeout. */
  readonly deadlines: DeadlineQueue;
  readonly target: SubgraphTarget;
  readonly request: ClientRequest;
  readonly text: RequestText;
  readonly resolve: (response: SubgraphResponse) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * One request of a client: it ends with its response, its failure, its timeout or its signal, whichever comes first.
 */
export class Call implements Exchange {
  readonly request: RequestText;
  readonly maxBodyBytes: number;
  connection: Connection | undefined;
  readonly #options: CallOptions;
  readonly #deadline: Deadline | undefined = undefined;
  readonly #onAbort: () => void;
  readonly #startedMs = performance.now();
  #mayBeSentAgain: boolean;
  #hasEnded = false;

  /** Starts it. Its signal has not aborted. */
  constructor(options: CallOptions) {
    const { pool, deadlines, target, request, text } = options;
    this.#options = options;
    this.request = text;
    this.maxBodyBytes = target.maxResponseBytes;
    this.connection = undefined;
    this.#mayBeSentAgain = request.operationKind === 'query';
    // First, so that a request that cannot be sent leaves nothing to clean up.
    pool.send(this);
    this.#deadline = deadlines.start(() => this.#stop(timeIsOver(target.timeoutMs)), this.#startedMs);
    this.#onAbort = () => this.#stop(request.signal.reason);
    request.signal.addEventListener('abort', this.#onAbort);
  }

  onResponse({ head, body }: Response): void {
    this.connection = undefined;
    const { status } = head;
    if (status > 299) {
      const decoded = head.isJsonRefusal
        ? decodeBody({ headers: head.headers, body }, this.maxBodyBytes)
        : undefined;
      if (decoded instanceof Promise) {
        decoded.then(
          (text) => this.#fail(refusedWith(status, text)),
          () => this.#fail(refusedWith(status)),
        );
      } else {
        this.#fail(refusedWith(status, decoded));
      }
      return;
    }
    const cacheControl = head.headers['cache-control'];
    const decoded = decodeBody({ headers: head.headers, body }, this.maxBodyBytes);
    if (decoded instanceof Promise) {
      decoded.then(
        (text) => this.#succeed({ text, cacheControl, status }),
        (error: unknown) => this.#fail(error),
      );
    } else {
      this.#succeed({ text: decoded, cacheControl, status });
    }
  }

  /**
   * A subgraph may close a kept connection while a request is on its way. Such a request was not processed,
   * and a query is sent again, once, on a new connection. A mutation is not: a subgraph that crashed during its work
   * looks the same from here.
   */
  onFailure(error: Error, isLost: boolean): void {
    this.connection = undefined;
    if (isLost && this.#mayBeSentAgain && !this.#hasEnded) {
      this.#mayBeSentAgain = false;
      this.#options.pool.sendOnNew(this);
    } else {
      this.#fail(failureOf(error));
    }
  }

  #stop(reason: unknown): void {
    this.#fail(reason);
    this.#options.pool.cancel(this);
  }

  #succeed(response: SubgraphResponse & { readonly status: number }): void {
    const { target, resolve } = this.#options;
    if (this.#end()) {
      target.observer?.onResponse(response.status, performance.now() - this.#startedMs);
    }
    resolve(response);
  }

  #fail(reason: unknown): void {
    const { target, reject } = this.#options;
    if (this.#end()) {
      target.observer?.onFailure(reason, performance.now() - this.#startedMs);
    }
    reject(reason);
  }

  /** Returns false if it had ended before. */
  #end(): boolean {
    if (this.#hasEnded) {
      return false;
    }
    this.#hasEnded = true;
    const { deadlines, request } = this.#options;
    if (this.#deadline !== undefined) {
      deadlines.end(this.#deadline);
    }
    request.signal.removeEventListener('abort', this.#onAbort);
    return true;
  }
}
