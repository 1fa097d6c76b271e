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
  { variables, headersFor, signal, observer }: Run,
  onCacheControl: (field: string) => void,
): SendFetch {
  const sent = new Map<string, Promise<FetchAnswer>>();

  const send = async (
    { step: { subgraph, operationKind } }: CompiledFetch,
    body: string,
    entityCount: number | undefined,
    observerHeaders?: Readonly<Record<string, string>>,
  ): Promise<FetchAnswer> => {
    const headers =
      observerHeaders === undefined ? headersFor(subgraph) : { ...headersFor(subgraph), ...observerHeaders };
    const { text, cacheControl } = await transport.send({ subgraph, operationKind, body, headers, signal });
    const answer = readAnswer(text, entityCount);
    if (cacheControl !== undefined) {
      onCacheControl(cacheControl);
    }
    return answer;
  };

  const sendObserved = async (
    fetch: CompiledFetch,
    body: string,
    entityCount: number | undefined,
  ): Promise<FetchAnswer> => {
    const { subgraph, operationKind, operationName } = fetch.step;
    const observed = observer?.onFetch({ subgraph, operationKind, operationName, entityCount });
    try {
      const answer = await send(fetch, body, entityCount, observed?.headers);
      observed?.onAnswer(answer.errors.length);
      return answer;
    } catch (error) {
      observed?.onFailure(error);
      throw error;
    }
  };
  const sendAny = observer === undefined ? send : sendObserved;

  return async (fetch, representations) => {
    const { subgraph, operationKind } = fetch.step;
    const body = fetch.writeBody(variables, representations);
    if (operationKind === 'mutation') {
      return await sendAny(fetch, body, representations?.length);
    }
    const key = `${subgraph}\n${body}`;
    const answer = sent.get(key) ?? sendAny(fetch, body, representations?.length);
    sent.set(key, answer);
    return await answer;
  };
}
