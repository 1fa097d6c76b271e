import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { SubgraphSchema } from '@meridian/composition';

/** A folder of a test, with files in it. */
export interface Workspace {
  readonly folder: string;
  write(file: string, text: string): void;
  remove(): void;
}

export function createWorkspace(): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-composition-'));
  return {
    folder,
    write(file, text) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    },
    remove() {
      rmSync(folder, { recursive: true });
    },
  };
}

/** Writes subgraphs as Rover takes them: `supergraph.yaml`, and `<name>.graphql` for each. */
export function writeSubgraphs(workspace: Workspace, subgraphs: readonly SubgraphSchema[]): void {
  const entries = subgraphs.map(
    ({ name, routingUrl }) =>
      `  ${name}:\n    routing_url: ${routingUrl}\n    schema:\n      file: ${name}.graphql\n`,
  );
  workspace.write('supergraph.yaml', `federation_version: =2.14.4\nsubgraphs:\n${entries.join('')}`);
  for (const { name, sdl } of subgraphs) {
    workspace.write(`${name}.graphql`, sdl);
  }
}
