import { execute, getOperationAST, OperationTypeNode } from 'graphql';
import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';

import type { SubgraphContext } from '../context.ts';

/** A query that was found valid before. */
export interface KnownQuery {
  readonly name: string | undefined;
  /** Executes it. Where the variables do not fit it, nothing runs, and the result has errors without `data`. */
  run(
    variables: Readonly<Record<string, unknown>>,
    context: SubgraphContext<unknown>,
  ): Promise<ExecutionResult>;
}

/** The latest valid queries of a subgraph, parsed. */
export interface KnownQueries {
  find(text: string, operationName: string | undefined): KnownQuery | undefined;
  /** Keeps an operation of a valid document, where it is a query. */
  add(text: string, operationName: string | undefined, document: DocumentNode): void;
}

/** A gateway plans as many queries as its clients send operations, with few subgraphs each. */
const maxQueries = 1000;
/** Beyond it a text is worth no memory: what executes it takes longer than what finds it. */
const maxTextLength = 20_000;
/** The total length of all kept texts: their documents grow with them. */
const maxTextsLength = 4_000_000;

/** Knows none at first. */
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
