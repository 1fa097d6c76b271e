import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { SubgraphSchema } from '@meridian/composition';
import { composeSupergraph } from '@meridian/composition';

/** Writes the files that `pnpm check` reads, composes the supergraph, and commits them. */
export function createRepository(
  directory: string,
  subgraphs: readonly SubgraphSchema[],
  manifest: string,
): void {
  const { supergraphSdl, errors } = composeSupergraph(subgraphs);
  if (errors !== undefined) {
    throw new Error(`The generated subgraphs do not compose: ${errors[0]?.message}`);
  }
  const files = {
    'supergraph.yaml': supergraphConfig(subgraphs),
    'supergraph.graphql': `${supergraphSdl.trimEnd()}\n`,
    'persisted-queries.json': manifest,
    'schema-check.yaml':
      'operations: registered\n\nmanifests:\n  - path: persisted-queries.json\n    client: app\n',
  };
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(join(directory, file), text);
  }
  mkdirSync(join(directory, 'schemas'));
  writeSchemas(directory, subgraphs);
  const git = (...args: readonly string[]): void => {
    execFileSync('git', args, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '--quiet', '--message', 'base');
}

/** Writes the schemas into the working tree. */
export function writeSchemas(directory: string, subgraphs: readonly SubgraphSchema[]): void {
  for (const { name, sdl } of subgraphs) {
    writeFileSync(join(directory, schemaFile(name)), sdl);
  }
}

function supergraphConfig(subgraphs: readonly SubgraphSchema[]): string {
  const entries = subgraphs.map(
    ({ name, routingUrl }) =>
      `  ${name}:\n    routing_url: ${routingUrl}\n    schema:\n      file: ${schemaFile(name)}\n`,
  );
  return `federation_version: =2.14.4\nsubgraphs:\n${entries.join('')}`;
}

function schemaFile(name: string): string {
  return `schemas/${name}.graphql`;
}
