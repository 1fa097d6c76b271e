import { getOperationAST, GraphQLError } from 'graphql';
import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';

import type { SubgraphContext } from '../context.ts';
import { compileQuery } from './compile-query.ts';
import type { CompiledSelection, Run } from './compiled.ts';
import { compileVariables } from './compile-variables.ts';
import { runFields } from './run-fields.ts';

/** A query that was found valid before. */
export interface KnownQuery {
  readonly name: string | undefined;
  /** Executes it. Undefined where the variables do not fit it; nothing has run then. */
  run(
    variables: Readonly<Record<string, unknown>>,
    context: SubgraphContext<unknown>,
  ): Promise<ExecutionResult> | undefined;
}

/** The queries that a subgraph has been asked lately, compiled. */
export interface KnownQueries {
  find(text: string, operationName: string | undefined): KnownQuery | undefined;
  /** Compiles an operation of a valid document, and keeps it where it can be compiled. */
  add(text: string, operationName: string | undefined, document: DocumentNode): void;
}

/** A gateway plans as many queries as it is asked operations, with few subgraphs each. */
const maxQueries = 1000;
/** Beyond it a text is worth no memory: what executes it takes longer than what finds it. */
const maxTextLength = 20_000;
/** How long the texts of all that are kept may be together: what is compiled of them grows with them. */
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
      if (!operation || text.length > maxTextLength) {
        return;
      }
      const selection = compileQuery(schema, document, operation);
      if (selection === undefined) {
        return;
      }
      const readVariables = compileVariables(schema, operation);
      queries.set(keyOf(text, operationName), {
        name: operation.name?.value,
        run(inputs, context) {
          const variables = readVariables(inputs);
          return variables && runQuery(selection, variables, context);
        },
      });
    },
  };
}

function keyOf(text: string, operationName = ''): string {
  return `${operationName} ${text}`;
}

async function runQuery(
  selection: CompiledSelection,
  variables: Readonly<Record<string, unknown>>,
  context: SubgraphContext<unknown>,
): Promise<ExecutionResult> {
  const run: Run = { context, variables, errors: [], argumentsOf: new Map() };
  const data = await dataOf(selection, run);
  return run.errors.length === 0 ? { data } : { errors: run.errors, data };
}

async function dataOf(selection: CompiledSelection, run: Run): Promise<Record<string, unknown> | null> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object by response keys
    return (await runFields(selection, undefined, run, undefined)) as Record<string, unknown>;
  } catch (error) {
    // A root field failed that may not be null; where that was is known already.
    run.errors.push(error instanceof GraphQLError ? error : new GraphQLError(String(error)));
    return null;
  }
}
