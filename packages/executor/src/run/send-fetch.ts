import type { CompiledFetch } from '../slow-path/compile-fetch.ts';
import type { SubgraphResponse, SubgraphTransport } from '../transport/subgraph-transport.ts';
import type { FetchInput } from '../selections/fetch-input.ts';
import type { RunParameters } from './run-parameters.ts';
import type { FetchObserver } from './run-observer.ts';

/** Sends a fetch. */
export type SendFetch = (fetch: CompiledFetch, input: FetchInput) => SentFetch;

/** A subrequest, which equal fetches share. */
export class SentFetch {
  /** Rejects like a transport. */
  readonly response: Promise<SubgraphResponse>;
  readonly #observer: FetchObserver | undefined;
  readonly #onCacheControl: (field: string) => void;
  #hasEnded = false;

  constructor(
    response: Promise<SubgraphResponse>,
    observer: FetchObserver | undefined,
    onCacheControl: (field: string) => void,
  ) {
    this.response = response;
    this.#observer = observer;
    this.#onCacheControl = onCacheControl;
  }

  /** Called with the number of errors in the response, once it is merged. */
  onMerged({ cacheControl }: SubgraphResponse, errorCount: number): void {
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      this.#observer?.onResponse(errorCount);
      if (cacheControl !== undefined) {
        this.#onCacheControl(cacheControl);
      }
    }
  }

  /** Called when it failed. */
  onFailure(error: unknown): void {
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      this.#observer?.onFailure(error);
    }
  }
}

/**
 * Creates the function that sends the fetches of one run. Equal fetches of a query are sent once, and each
 * reads the response.
 *
 * @param onCacheControl called with the `Cache-Control` of each merged response, once for each request sent
 */
export function createSendFetch(
  transport: SubgraphTransport,
  { variables, headersFor, signal, observer }: RunParameters,
  onCacheControl: (field: string) => void,
): SendFetch {
  /** By subgraph and body. */
  const sent = new Map<string, Map<string, SentFetch>>();

  const send = (
    { step: { subgraph, operationKind, operationName } }: CompiledFetch,
    body: string,
    entityCount: number | undefined,
  ): SentFetch => {
    const observed = observer?.onFetch({ subgraph, operationKind, operationName, entityCount });
    const headers =
      observed === undefined ? headersFor(subgraph) : { ...headersFor(subgraph), ...observed.headers };
    const response = transport.send({ subgraph, operationKind, body, headers, signal });
    return new SentFetch(response, observed, onCacheControl);
  };

  return (fetch, { representations, entityCount }) => {
    const { subgraph, operationKind } = fetch.step;
    const body = fetch.writeBody(variables, representations);
    if (operationKind === 'mutation') {
      return send(fetch, body, entityCount);
    }
    const toSubgraph = sent.get(subgraph) ?? new Map<string, SentFetch>();
    sent.set(subgraph, toSubgraph);
    const one = toSubgraph.get(body) ?? send(fetch, body, entityCount);
    toSubgraph.set(body, one);
    return one;
  };
}
