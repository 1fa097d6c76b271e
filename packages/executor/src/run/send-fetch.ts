import type { CompiledFetch } from '../compile/compile-fetch.ts';
import type { Run } from './run.ts';
import type { SubgraphTransport } from '../transport/subgraph-transport.ts';
import type { FetchAnswer } from './read-answer.ts';
import { readAnswer } from './read-answer.ts';

/** Sends a fetch; rejects like a transport, or with a `SubgraphFailure` for an answer that cannot be used. */
export type SendFetch = (
  fetch: CompiledFetch,
  representations: readonly string[] | undefined,
) => Promise<FetchAnswer>;

/**
 * Creates what sends the fetches of one run. Equal fetches of a query are sent once: their answer is read by each.
 *
 * @param onCacheControl is told of each answer's `Cache-Control`, once for each request that was sent
 */
export function createSendFetch(
  transport: SubgraphTransport,
  { variables, headersFor, signal }: Run,
  onCacheControl: (field: string) => void,
): SendFetch {
  const sent = new Map<string, Promise<FetchAnswer>>();

  const send = async (
    { step: { subgraph, operationKind } }: CompiledFetch,
    body: string,
    entityCount: number | undefined,
  ): Promise<FetchAnswer> => {
    const headers = headersFor(subgraph);
    const { text, cacheControl } = await transport.send({ subgraph, operationKind, body, headers, signal });
    const answer = readAnswer(text, entityCount);
    if (cacheControl !== undefined) {
      onCacheControl(cacheControl);
    }
    return answer;
  };

  return async (fetch, representations) => {
    const { subgraph, operationKind } = fetch.step;
    const body = fetch.writeBody(variables, representations);
    if (operationKind === 'mutation') {
      return await send(fetch, body, representations?.length);
    }
    const key = `${subgraph}\n${body}`;
    const answer = sent.get(key) ?? send(fetch, body, representations?.length);
    sent.set(key, answer);
    return await answer;
  };
}
