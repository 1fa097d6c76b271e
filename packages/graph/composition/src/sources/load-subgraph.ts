import { readFile } from 'node:fs/promises';

import { CommandError } from '@meridian/settings/command-line';

import type { SubgraphSchema } from '../compose-supergraph.ts';
import { introspectSubgraph } from './introspect-subgraph.ts';
import type { SchemaSource, SubgraphSource } from './parse-sources.ts';

/**
 * Loads a subgraph's schema from its source.
 *
 * @throws {CommandError} which names the subgraph and the reason
 */
export async function loadSubgraph({ name, routingUrl, schema }: SubgraphSource): Promise<SubgraphSchema> {
  try {
    return { name, routingUrl, sdl: await loadSchema(schema) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`subgraph ${name}: ${reason}`, { cause: error });
  }
}

async function loadSchema(schema: SchemaSource): Promise<string> {
  if ('sdl' in schema) {
    return schema.sdl;
  }
  return 'file' in schema
    ? await readFile(schema.file, 'utf8')
    : await introspectSubgraph(schema.url, schema.headers);
}
