import { Agent } from 'undici';

/** One request, and what its answer has to be. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Load {
  /** The n-th request. */
  readonly requestOf: (n: number) => Request;
  /** Each sends one request after another. */
  readonly connections: number;
  readonly seconds: number;
}

/** What a time of load brought. */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
}

/**
 * Sends requests for a while.
 *
 * @throws where an answer is no 2xx or 304: what fails is not worth measuring
 */
export async function driveLoad({ requestOf, connections, seconds }: Load): Promise<LoadResult> {
  const agent = new Agent({ connections, pipelining: 1 });
  const startedMs = performance.now();
  const latenciesMs: number[] = [];
  let sent = 0;
  const client = async (): Promise<void> => {
    while (performance.now() - startedMs < seconds * 1000) {
      const { url, method, headers, body = null } = requestOf(sent);
      sent += 1;
      const { origin, pathname, search } = new URL(url);
      const sentMs = performance.now();
      const answer = await agent.request({ origin, path: pathname + search, method, headers, body });
      await answer.body.arrayBuffer();
      if (answer.statusCode >= 300 && answer.statusCode !== 304) {
        throw new Error(`${method} ${url} answered ${answer.statusCode}`);
      }
      latenciesMs.push(performance.now() - sentMs);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, client));
  } finally {
    await agent.close();
  }
  return { requests: latenciesMs.length, seconds: (performance.now() - startedMs) / 1000, latenciesMs };
}
