import { fileURLToPath } from 'node:url';

import { readApps } from '../../../packages/development/local-stack/src/apps/index.ts';
import type { StartOptions } from '../../../packages/services/subgraph/test/support/index.ts';

const root = new URL('../../../', import.meta.url);

/** The names of the subgraphs that run here: a new one is under these tests at once. */
export const shippedSubgraphs: readonly string[] = readApps(pathOf('.'))
  .filter(({ kind }) => kind === 'subgraph')
  .map(({ name }) => name);

/** Starts a subgraph with the demo data. Every app has the same entry points. */
export async function startOptionsOf(name: string): Promise<StartOptions> {
  const { createApp }: Pick<StartOptions, 'createApp'> = await import(pathOf(`apps/${name}/src/app.ts`));
  return {
    createApp,
    migrations: new URL(`apps/${name}/migrations/`, root),
    seed: new URL(`apps/${name}/src/seed.ts`, root),
  };
}

/** The schema that Rover reads. */
export function schemaOf(name: string): URL {
  return new URL(`apps/${name}/schema.graphql`, root);
}

/** The path of a file of the checkout. */
export function pathOf(file: string): string {
  return fileURLToPath(new URL(file, root));
}
