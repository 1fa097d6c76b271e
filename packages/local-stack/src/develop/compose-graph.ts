import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { composeSupergraph, describeIssue } from '@meridian/composition';

import { checkout } from '../data-directory.ts';
import { urlOf } from '../services.ts';
import type { Service } from '../services.ts';
import { StackError } from '../stack-error.ts';

/**
 * Composes the schemas of subgraphs as they are now.
 *
 * @throws {StackError} with every fault and its place, where they do not compose
 */
export async function composeGraph(subgraphs: readonly Service[]): Promise<string> {
  const files = new Map(subgraphs.map(({ name }) => [name, join('apps', name, 'schema.graphql')]));
  const schemas = await Promise.all(
    subgraphs.map(async (subgraph) => ({
      name: subgraph.name,
      routingUrl: urlOf(subgraph),
      sdl: await readFile(join(checkout, files.get(subgraph.name) ?? ''), 'utf8'),
    })),
  );
  const { supergraphSdl, errors = [] } = composeSupergraph(schemas);
  if (supergraphSdl === undefined) {
    throw new StackError(errors.map((error) => describeIssue(error, files)).join('\n'));
  }
  return supergraphSdl;
}

/** Writes a supergraph to where the gateway looks, whole from the first moment on; false where it is there already. */
export async function publishGraph(supergraphSdl: string, path: string): Promise<boolean> {
  if (supergraphSdl === (await readFile(path, 'utf8').catch(() => ''))) {
    return false;
  }
  await writeFile(`${path}.new`, supergraphSdl);
  await rename(`${path}.new`, path);
  return true;
}
