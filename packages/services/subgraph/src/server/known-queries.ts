import { execute, getOperationAST, OperationTypeNode } from 'graphql';
import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';

import type { SubgraphContext } from '../context.ts';

/** A query that was found valid before. */
export interface KnownQuery {
  readonly name: string | undefined;
  /** Executes it. If the variables are invalid, nothing runs, and the result has errors without `data`. */
  run(
    variables: Readonly<Record<string, unknown>>,
    context: SubgraphContext<unknown>,
  ): Promise<ExecutionResult>;
}

/** The latest valid queries of a subgraph, parsed. */
export interface KnownQueries {
  find(text: string, operationName: string | undefined): KnownQuery | undefined;
  /** Keeps an operation of a valid document, if it is a query. */
  add(text: string, operationName: string | undefined, document: DocumentNode): void;
}

/** The number of kept queries: a gateway sends a few for each operation of its clients. */
const maxQueries = 1000;
/** The longest kept text: executing a longer one takes much longer than parsing it. */
const maxTextLength = 20_000;
/** The total length of all kept texts: their documents grow with them. */
const maxTextsLength = 4_000_000;

/** Creates an empty collection. */
export function createKnownQueries(schema: GraphQLSchema): KnownQueries {
  const queries = new LRUCache<string, KnownQuery>({
    max: maxQueries,
    maxSize: maxTextsLength,
    sizeCalculation: (_query, key) => key.length,
  });

  return {
    find: (text, operationName) => queries.get(keyOf(text, operationName)),
    add(text, operationName, document) {
      const operation = getOperationAST(document, operationName);
      if (operation?.operation !== OperationTypeNode.QUERY || text.length > maxTextLength) {
        return;
      }
      queries.set(keyOf(text, operationName), {
        name: operation.name?.value,
        run: async (variableValues, contextValue) =>
          execute({ schema, document, operationName, variableValues, contextValue }),
      });
    },
  };
}

function keyOf(text: string, operationName = ''): string {
  return `${operationName} ${text}`;
}
