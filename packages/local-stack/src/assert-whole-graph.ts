import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Service } from './services.ts';
import { StackError } from './stack-error.ts';

export interface WholeGraphOptions {
  readonly checkout: string;
  readonly services: readonly Service[];
  /** Of the supergraph that the gateway runs, relative to the checkout; absent where it is composed of the services themselves. */
  readonly supergraphPath: string | undefined;
}

/**
 * Asserts that what the stack runs is there, and that each subgraph of the supergraph is run, so that "ready" is said of all that the
 * gateway asks.
 *
 * @throws {StackError} which says what to add, or to take out, and where
 */
export function assertWholeGraph({ checkout, services, supergraphPath }: WholeGraphOptions): void {
  const gone = services.find(({ name }) => !existsSync(join(checkout, 'apps', name, 'src/main.ts')));
  if (gone !== undefined) {
    const { name } = gone;
    throw new StackError(
      `apps/${name} has an app.yaml, but no src/main.ts: add that, or remove the folder and run pnpm apps:check, which names all that is left of it`,
    );
  }
  if (supergraphPath === undefined) {
    return;
  }
  const composed = subgraphsIn(readFileSync(join(checkout, supergraphPath), 'utf8'));
  const run = services.filter(({ kind }) => kind === 'subgraph').map(({ name }) => name);
  const notRun = composed.find((name) => !run.includes(name));
  if (notRun !== undefined) {
    throw new StackError(
      `${supergraphPath} has the subgraph ${notRun}, which nothing here runs: add apps/${notRun}/app.yaml (kind: subgraph), or take it out of supergraph.yaml and run pnpm compose`,
    );
  }
  const notComposed = run.find((name) => !composed.includes(name));
  if (notComposed !== undefined) {
    throw new StackError(
      `${supergraphPath} lacks the subgraph ${notComposed}, which has apps/${notComposed}/app.yaml: add it to supergraph.yaml and run pnpm compose`,
    );
  }
}

/** The names in the enum join__Graph. */
function subgraphsIn(supergraphSdl: string): string[] {
  return Array.from(
    supergraphSdl.matchAll(/@join__graph\(name: "(?<name>[^"]+)"/gu),
    ({ groups }) => groups?.['name'] ?? '',
  );
}
