import type { GraphQLSchema } from 'graphql';
import { graphql, parse } from 'graphql';

import { createExecutor } from '../../src/index.ts';
import { supergraphOf } from './federation.ts';
import type { SubgraphDefinition } from './stub-subgraph.ts';
import { schemasOf } from './stub-subgraph.ts';

/** The outcome of an operation, and the subgraphs asked at the same time, one list for each round. */
export interface Rounds {
  readonly data: unknown;
  readonly rounds: readonly (readonly string[])[];
}

interface Waiting {
  readonly subgraph: string;
  readonly body: string;
  readonly response: (text: string) => void;
}

/**
 * Runs operations in rounds: no request gets its response before all requests that do not need it were sent.
 * Subgraphs are in this process, so an executor that has nothing left to do in a turn of the event loop waits for
 * answers.
 */
export function createRoundsRunner(
  definitions: Readonly<Record<string, SubgraphDefinition>>,
): (text: string) => Promise<Rounds> {
  const supergraph = supergraphOf(definitions);
  const schemas = schemasOf(definitions);

  return async (text) => {
    let waiting: Waiting[] = [];
    const executor = createExecutor({
      supergraph,
      transport: {
        send: ({ subgraph, body }) =>
          new Promise((resolve) => {
            const respond = (responded: string): void =>
              resolve({ text: responded, cacheControl: undefined });
            waiting.push({ subgraph, body, response: respond });
          }),
      },
    });
    let data: string | undefined;
    const running = executor
      .prepare({ document: parse(text) })
      .run({ variables: {}, headersFor: () => ({}), signal: new AbortController().signal })
      .then((result) => (data = result.data));

    const rounds: (readonly string[])[] = [];
    await nextTurn();
    while (waiting.length > 0) {
      const round = waiting;
      waiting = [];
      rounds.push(round.map(({ subgraph }) => subgraph).toSorted());
      const responses = await Promise.all(round.map((request) => responseTo(request, schemas)));
      round.forEach(({ response }, index) => response(responses[index] ?? ''));
      await nextTurn();
    }
    await running;
    return { data: JSON.parse(data ?? ''), rounds };
  };
}

async function responseTo(
  { subgraph, body }: Waiting,
  schemas: ReadonlyMap<string, GraphQLSchema>,
): Promise<string> {
  const schema = schemas.get(subgraph);
  if (schema === undefined) {
    throw new Error(`There is no subgraph ${subgraph}`);
  }
  const { query, variables = {} } = JSON.parse(body) as {
    query: string;
    variables?: Record<string, unknown>;
  };
  return JSON.stringify(await graphql({ schema, source: query, variableValues: variables }));
}

/** All that can go on without an answer has gone on. */
async function nextTurn(): Promise<void> {
  await new Promise((resolve) => void setImmediate(resolve));
}
