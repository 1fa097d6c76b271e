import type { Deadline, DeadlineQueue } from '@meridian/cancellation';

import { decodeResponse } from '../decode-response.ts';
import type { SubgraphTarget } from '../subgraph-client.ts';
import { failureOf, failureOfTime } from '../subgraph-failure.ts';
import type { SubgraphRequest, SubgraphResponse } from '../subgraph-transport.ts';
import type { Connection, Exchange } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import type { RequestText } from './request-text.ts';
import { fieldsOf } from './response-head.ts';
import type { Response } from './response-reader.ts';

export interface CallOptions {
  readonly pool: ConnectionPool;
  /** Of the target's timeout. */
  readonly deadlines: DeadlineQueue;
  readonly target: SubgraphTarget;
  readonly request: SubgraphRequest<unknown>;
  readonly text: RequestText;
  readonly resolve: (response: SubgraphResponse) => void;
  readonly reject: (reason: unknown) => void;
}

const noBody = Buffer.alloc(0);

/**
 * One request of a client: it ends with its response, its failure, its timeout or its signal, whichever comes first.
 * It limits the time and sends a lost query again by itself: as interceptors, each would cost every call a promise, and
 * the time limit a signal of its own.
 */
export class Call implements Exchange {
  readonly request: RequestText;
  readonly maxBodyBytes: number;
  readonly readsFields: boolean;
  connection: Connection | undefined = undefined;
  readonly #options: CallOptions;
  readonly #onAbort = (): void => this.#stop(this.#options.request.signal.reason);
  readonly #deadline: Deadline | undefined = undefined;
  #mayBeSentAgain: boolean;

  /** Starts it. Its signal has not aborted. */
  constructor(options: CallOptions) {
    const { pool, deadlines, target, request, text } = options;
    this.#options = options;
    this.request = text;
    this.maxBodyBytes = target.maxResponseBytes;
    this.readsFields = request.onFields !== undefined;
    this.#mayBeSentAgain = request.operationKind === 'query';
    // First, so that a request that cannot be sent leaves nothing to clean up.
    const nowMs = performance.now();
    pool.send(this, nowMs);
    this.#deadline = deadlines.start(() => this.#stop(failureOfTime(target.timeoutMs)), nowMs);
    request.signal.addEventListener('abort', this.#onAbort);
  }

  onResponse({ head, body }: Response): void {
    this.connection = undefined;
    const { status, headers, text } = head;
    if (text !== undefined) {
      this.#options.request.onFields?.(fieldsOf(text));
    }
    const response = {
      // The body of another error response is not read to its end.
      text: status > 299 && !head.isGraphqlError ? noBody : body,
      cacheControl: headers['cache-control'],
      status,
      contentEncoding: headers['content-encoding'],
    };
    const decoded = decodeResponse(response, this.maxBodyBytes);
    if (decoded instanceof Promise) {
      decoded.then(
        (whole) => this.#succeed(whole),
        (error: unknown) => this.#fail(error),
      );
    } else {
      this.#succeed(decoded);
    }
  }

  onFailure(error: Error, isLost: boolean): void {
    this.connection = undefined;
    if (isLost && this.#mayBeSentAgain) {
      this.#mayBeSentAgain = false;
      this.#options.pool.sendOnNew(this);
    } else {
      this.#fail(failureOf(error));
    }
  }

  #stop(reason: unknown): void {
    this.#mayBeSentAgain = false;
    this.#fail(reason);
    this.#options.pool.cancel(this);
  }

  #succeed(response: SubgraphResponse): void {
    this.#end();
    this.#options.resolve(response);
  }

  #fail(reason: unknown): void {
    this.#end();
    this.#options.reject(reason);
  }

  #end(): void {
    const { deadlines, request } = this.#options;
    if (this.#deadline !== undefined) {
      deadlines.end(this.#deadline);
    }
    request.signal.removeEventListener('abort', this.#onAbort);
  }
}
