import { basename, join } from 'node:path';
import { globSync, readFileSync } from 'node:fs';

import {
  GraphQLError,
  Kind,
  LoneAnonymousOperationRule,
  Source,
  concatAST,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { CommandError } from '@meridian/settings/command-line';

/** `namingFaults` reports an operation without a name, with its file and the name that it needs. */
const rules = specifiedRules.filter((rule) => rule !== LoneAnonymousOperationRule);

/**
 * Finds the faults of a client's operations: validation errors, a second operation in a file, an operation that is not
 * named after its file. An operation may spread a fragment of another file, as with Rover.
 */
export function operationFaults(files: readonly OperationFile[], schema: GraphQLSchema): GraphQLError[] {
  return [
    ...files.flatMap(namingFaults),
    ...validate(schema, concatAST(files.map(({ document }) => document)), rules),
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
  const actual = operation.name === undefined ? 'has no name' : `is named ${operation.name.value}`;
  const message = `The operation of ${basename(path)} ${actual}. Name it ${expected}, after its file.`;
  return [new GraphQLError(message, { nodes: operation })];
}

function pascalCase(kebabCase: string): string {
  return kebabCase.replaceAll(/(?:^|-)(.)/g, (_match, letter: string) => letter.toUpperCase());
}

/** A file of a client's operations. */
interface OperationFile {
  readonly path: string;
  readonly document: DocumentNode;
}

/**
 * Reads every `.graphql` file of a folder and the folders in it.
 *
 * @throws {CommandError} for one that does not parse, and for none
 */
export function readOperations(folder: string): OperationFile[] {
  const paths = globSync('**/*.graphql', { cwd: folder }).toSorted();
  if (paths.length === 0) {
    throw new CommandError(`Cannot find operations: ${folder} holds no .graphql files`);
  }
  return paths.map((path) => parseOperations(join(folder, path)));
}

function parseOperations(path: string): OperationFile {
  try {
    return { path, document: parse(new Source(readFileSync(path, 'utf8'), path)) };
  } catch (error) {
    if (error instanceof GraphQLError) {
      throw new CommandError(error.toString(), { cause: error });
    }
    throw error;
  }
}
