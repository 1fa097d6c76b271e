import type { CompiledFetch } from '../compile/compile-fetch.ts';
import type { SubgraphAnswer, SubgraphTransport } from '../transport/subgraph-transport.ts';
import type { Question } from './question.ts';
import type { Run } from './run.ts';

/** Sends what a fetch asks. */
export type SendFetch = (fetch: CompiledFetch, question: Question) => SentFetch;

/** A request to a subgraph, which equal fetches share. */
export interface SentFetch {
  /** The answer, unchecked. Rejects like a transport. */
  readonly text: Promise<SubgraphAnswer['text']>;
  /** To be told how many errors were in the answer, once it has been taken. */
  onTaken(errorCount: number): void;
  /** To be told that it brought nothing. */
  onFailure(error: unknown): void;
}

/**
 * Creates what sends the fetches of one run. Equal fetches of a query are sent once: their answer is read by each.
 *
 * @param onCacheControl is told of the `Cache-Control` of each answer that was taken, once for each request that was sent
 */
export function createSendFetch(
  transport: SubgraphTransport,
  { variables, headersFor, signal, observer }: Run,
  onCacheControl: (field: string) => void,
): SendFetch {
  const sent = new Map<string, SentFetch>();

  const send = (
    { step: { subgraph, operationKind, operationName } }: CompiledFetch,
    body: string,
    entityCount: number | undefined,
  ): SentFetch => {
    const observed = observer?.onFetch({ subgraph, operationKind, operationName, entityCount });
    const headers =
      observed === undefined ? headersFor(subgraph) : { ...headersFor(subgraph), ...observed.headers };
    let cacheControl: string | undefined;
    let hasEnded = false;
    return {
      text: transport.send({ subgraph, operationKind, body, headers, signal }).then((answer) => {
        ({ cacheControl } = answer);
        return answer.text;
      }),
      onTaken(errorCount) {
        if (!hasEnded) {
          hasEnded = true;
          observed?.onAnswer(errorCount);
          if (cacheControl !== undefined) {
            onCacheControl(cacheControl);
          }
        }
      },
      onFailure(error) {
        if (!hasEnded) {
          hasEnded = true;
          observed?.onFailure(error);
        }
      },
    };
  };

  return (fetch, { representations, entityCount }) => {
    const { subgraph, operationKind } = fetch.step;
    const body = fetch.writeBody(variables, representations);
    if (operationKind === 'mutation') {
      return send(fetch, body, entityCount);
    }
    const key = `${subgraph}\n${body}`;
    const one = sent.get(key) ?? send(fetch, body, entityCount);
    sent.set(key, one);
    return one;
  };
}
