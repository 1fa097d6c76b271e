import { readFileSync } from 'node:fs';

import { CommandError } from '@meridian/settings/command-line';
import type { GraphQLSchema } from 'graphql';
import { buildSchema } from 'graphql';

import { apiSchemaOf } from '../api-schema.ts';

/**
 * Reads the API schema, from a supergraph or from a file that holds only the API schema.
 *
 * @throws {CommandError} when the file cannot be read, or is not a schema
 */
export function readClientSchema(file: string): GraphQLSchema {
  const text = readText(file);
  const isSupergraph = /\bjoin__Graph\b/.test(text);
  try {
    return isSupergraph ? apiSchemaOf(text) : buildSchema(text);
  } catch (error) {
    throw new CommandError(
      `Cannot read ${file}: it is neither a supergraph nor a schema. Run \`pnpm compose\`.`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Reads a file that a flag names.
 *
 * @throws {CommandError} when it cannot be read
 */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`Cannot read ${file}: ${reason}`, { cause: error });
  }
}
