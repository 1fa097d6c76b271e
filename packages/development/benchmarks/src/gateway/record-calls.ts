import { parse } from 'graphql';

import type { ExecutionResult, SubgraphTransport } from '@meridian/executor';
import { createExecutor, loadSupergraph } from '@meridian/executor';

import type { Workload } from './workload.ts';

/** One request to a subgraph. */
export interface RecordedCall {
  readonly url: string;
  readonly body: string;
}

/** The requests of an operation to the subgraphs, and its response. */
export interface Recording {
  /** The calls of each round. A round starts when the previous one has ended. */
  readonly rounds: readonly (readonly RecordedCall[])[];
  readonly response: string;
}

/**
 * Runs an operation on the executor's slow path. The responses of others are compared with its response, and the floor
 * repeats its calls.
 */
export async function recordCalls(
  supergraphSdl: string,
  { query, operationName, variables }: Workload,
  n: number,
): Promise<Recording> {
  const supergraph = loadSupergraph(supergraphSdl);
  const urls = new Map(supergraph.subgraphs.map(({ name, url }) => [name, url]));
  const rounds: RecordedCall[][] = [];
  const seen = new Set<string>();
  let ended = 0;
  let endedAtRound = -1;
  const transport: SubgraphTransport = {
    async send({ subgraph, body }) {
      if (ended !== endedAtRound) {
        endedAtRound = ended;
        rounds.push([]);
      }
      const url = urls.get(subgraph) ?? '';
      if (!seen.has(`${url} ${body}`)) {
        seen.add(`${url} ${body}`);
        rounds.at(-1)?.push({ url, body });
      }
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json' },
      });
      const text = await response.text();
      ended += 1;
      return { text, cacheControl: undefined };
    },
  };
  const executor = createExecutor({ supergraph, transport, path: 'slow' });
  const result: ExecutionResult = await executor
    .prepare({ document: parse(query), name: operationName })
    .run({
      variables: variables(n),
      headersFor: () => ({}),
      signal: new AbortController().signal,
    });
  if (result.errors.length > 0) {
    throw new Error(`The workload fails: ${JSON.stringify(result.errors[0])}`);
  }
  return {
    rounds: rounds.filter((round) => round.length > 0),
    response: `{"data":${result.data}}`,
  };
}
