import { Agent } from 'undici';

import type { RequestForm } from './request-form.ts';
import type { Workload } from './workload.ts';

/** What one round of load brought. */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
}

export interface LoadOptions {
  readonly url: string;
  readonly workload: Workload;
  readonly requests: RequestForm;
  readonly connections: number;
  readonly durationMs: number;
}

/** Sends requests for a while, each connection one after another. */
export async function driveLoad({
  url,
  workload,
  requests,
  connections,
  durationMs,
}: LoadOptions): Promise<LoadResult> {
  const agent = new Agent({ connections, pipelining: 1 });
  const bodies = Array.from({ length: 64 }, (_, n) => requests.bodyOf(workload, n));
  const startedMs = performance.now();
  const latenciesMs: number[] = [];
  let sent = 0;
  const client = async (): Promise<void> => {
    while (performance.now() - startedMs < durationMs) {
      const sentMs = performance.now();
      const { origin, pathname } = new URL(url);
      const body = bodies[(sent += 1) % bodies.length] ?? '';
      const { statusCode, body: answer } = await agent.request({
        origin,
        path: pathname,
        method: 'POST',
        headers: requests.headers,
        body,
      });
      await answer.arrayBuffer();
      if (statusCode !== 200) {
        throw new Error(`It answered ${statusCode}`);
      }
      latenciesMs.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  await agent.close();
  return { requests: latenciesMs.length, seconds: (performance.now() - startedMs) / 1000, latenciesMs };
}
