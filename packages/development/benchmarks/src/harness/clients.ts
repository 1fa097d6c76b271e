import { Agent } from 'undici';

/** One request. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Requests for a number of seconds, or a number of requests. */
export type Load = {
  /** The n-th request. */
  readonly requestOf: (n: number) => Request;
} & ({ readonly seconds: number } | { readonly requests: number });

/** The result of a load. */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
}

/**
 * Opens those who send requests, each on a connection of its own, which is kept from one time of load to the next.
 */
export function openClients(count: number) {
  const agent = new Agent({ connections: count, pipelining: 1 });
  return {
    /**
     * Sends requests, each client one after another.
     *
     * @throws {Error} when a response is not 2xx or 304: failures are not worth measuring
     */
    async load({ requestOf, ...end }: Load): Promise<LoadResult> {
      const startedMs = performance.now();
      const latenciesMs: number[] = [];
      let sent = 0;
      const send = async (): Promise<void> => {
        while ('requests' in end ? sent < end.requests : performance.now() - startedMs < end.seconds * 1000) {
          const { url, method, headers, body = null } = requestOf(sent);
          sent += 1;
          const { origin, pathname, search } = new URL(url);
          const sentMs = performance.now();
          const response = await agent.request({ origin, path: pathname + search, method, headers, body });
          await response.body.arrayBuffer();
          if (response.statusCode >= 300 && response.statusCode !== 304) {
            throw new Error(`${method} ${url} answered ${response.statusCode}`);
          }
          latenciesMs.push(performance.now() - sentMs);
        }
      };
      await Promise.all(Array.from({ length: count }, send));
      return { requests: latenciesMs.length, seconds: (performance.now() - startedMs) / 1000, latenciesMs };
    },
    close: (): Promise<void> => agent.close(),
  };
}
