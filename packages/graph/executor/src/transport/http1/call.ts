import { ConnectionLost, failureOf } from '../subgraph-failure.ts';
import type { SubgraphRequest, SubgraphResponse } from '../subgraph-transport.ts';
import type { Connection, Exchange } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import type { RequestText } from './request-text.ts';
import type { Response } from './response-reader.ts';

export interface CallOptions {
  readonly pool: ConnectionPool;
  readonly request: SubgraphRequest<unknown>;
  readonly text: RequestText;
  readonly maxResponseBytes: number;
  readonly resolve: (response: SubgraphResponse) => void;
  readonly reject: (reason: unknown) => void;
}

const noBody = Buffer.alloc(0);

/** One request of a client: it ends with its response, its failure or its signal, whichever comes first. */
export class Call implements Exchange {
  readonly request: RequestText;
  readonly maxBodyBytes: number;
  connection: Connection | undefined = undefined;
  readonly #options: CallOptions;
  readonly #onAbort = (): void => this.#abort();

  /** Starts it. Its signal has not aborted. */
  constructor(options: CallOptions) {
    const { pool, request, text, maxResponseBytes } = options;
    this.#options = options;
    this.request = text;
    this.maxBodyBytes = maxResponseBytes;
    // First, so that a request that cannot be sent leaves nothing to clean up.
    if (request.isSentAgain === true) {
      pool.sendOnNew(this);
    } else {
      pool.send(this);
    }
    request.signal.addEventListener('abort', this.#onAbort);
  }

  onResponse({ head, body }: Response): void {
    this.#end();
    const { status, headers } = head;
    this.#options.resolve({
      // The body of another error response is not read to its end.
      text: status > 299 && !head.isGraphqlError ? noBody : body,
      cacheControl: headers['cache-control'],
      status,
      contentEncoding: headers['content-encoding'],
    });
  }

  onFailure(error: Error, isLost: boolean): void {
    this.#end();
    this.#options.reject(isLost ? new ConnectionLost(error) : failureOf(error));
  }

  #abort(): void {
    const { pool, request, reject } = this.#options;
    reject(request.signal.reason);
    pool.cancel(this);
  }

  #end(): void {
    this.connection = undefined;
    this.#options.request.signal.removeEventListener('abort', this.#onAbort);
  }
}
