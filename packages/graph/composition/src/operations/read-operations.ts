import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CommandError } from '@meridian/settings/command-line';
import { GraphQLError, parse, Source } from 'graphql';
import type { DocumentNode } from 'graphql';

/** A file of a client's operations. */
export interface OperationFile {
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
