import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { composeSupergraph, describeIssue } from '@meridian/composition';

import { checkout } from '../data-directory.ts';
import { StackError } from '../stack-error.ts';

/** A subgraph whose schema is in its folder below apps/. */
export interface ComposedSubgraph {
  readonly name: string;
  readonly routingUrl: string;
}

/**
 * Composes the current schemas of subgraphs.
 *
 * @throws {StackError} with every fault and its place, if they do not compose
 */
export async function composeGraph(subgraphs: readonly ComposedSubgraph[]): Promise<string> {
  const files = new Map(subgraphs.map(({ name }) => [name, join('apps', name, 'schema.graphql')]));
  const schemas = await Promise.all(
    subgraphs.map(async ({ name, routingUrl }) => ({
      name,
      routingUrl,
      sdl: await readFile(join(checkout, files.get(name) ?? ''), 'utf8'),
    })),
  );
  const { supergraphSdl, errors = [] } = composeSupergraph(schemas);
  if (supergraphSdl === undefined) {
    throw new StackError(errors.map((error) => describeIssue(error, files)).join('\n'));
  }
  return supergraphSdl;
}

/** Writes the supergraph for the gateway, in one step. Returns false if it was there already. */
export async function publishGraph(supergraphSdl: string, path: string): Promise<boolean> {
  if (supergraphSdl === (await readFile(path, 'utf8').catch(() => ''))) {
    return false;
  }
  await writeFile(`${path}.new`, supergraphSdl);
  await rename(`${path}.new`, path);
  return true;
}
