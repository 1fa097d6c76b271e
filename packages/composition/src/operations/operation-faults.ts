import { basename } from 'node:path';

import { concatAST, GraphQLError, Kind, validate } from 'graphql';
import type { GraphQLSchema } from 'graphql';

import type { OperationFile } from './read-operations.ts';

/**
 * Finds the faults of a client's operations: validation errors, a second operation in a file, an operation that is not
 * named after its file. An operation may spread a fragment of another file, as with Rover.
 */
export function operationFaults(files: readonly OperationFile[], schema: GraphQLSchema): GraphQLError[] {
  return [
    ...files.flatMap(namingFaults),
    ...validate(schema, concatAST(files.map(({ document }) => document))),
  ];
}

/** `order-details.graphql` holds the operation `OrderDetails`, so that a name in a log leads to its text. */
function namingFaults({ path, document }: OperationFile): GraphQLError[] {
  const [operation, second] = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (second !== undefined) {
    return [new GraphQLError('A file holds one operation.', { nodes: second })];
  }
  const expected = pascalCase(basename(path, '.graphql'));
  if (operation?.kind !== Kind.OPERATION_DEFINITION || operation.name?.value === expected) {
    return [];
  }
  return [new GraphQLError(`The operation of ${basename(path)} is named ${expected}.`, { nodes: operation })];
}

function pascalCase(kebabCase: string): string {
  return kebabCase.replaceAll(/(?:^|-)(.)/g, (_match, letter: string) => letter.toUpperCase());
}
