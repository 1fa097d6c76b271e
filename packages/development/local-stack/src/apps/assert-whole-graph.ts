import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Service } from './services.ts';
import { StackError } from '../stack-error.ts';

export interface WholeGraphOptions {
  readonly checkout: string;
  readonly services: readonly Service[];
  /** The names of the subgraphs that run elsewhere. */
  readonly external: readonly string[];
  /**
   * The path of the gateway's supergraph, relative to the checkout; absent if it is composed from the services
   * themselves.
   */
  readonly supergraphPath: string | undefined;
}

/**
 * Asserts that every listed app exists, and that each subgraph of the supergraph runs in the stack or elsewhere.
 *
 * @throws {StackError} with what to add or remove, and where
 */
export function assertWholeGraph({ checkout, services, external, supergraphPath }: WholeGraphOptions): void {
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
  const run = [...services.filter(({ kind }) => kind === 'subgraph').map(({ name }) => name), ...external];
  const notRun = composed.find((name) => !run.includes(name));
  if (notRun !== undefined) {
    throw new StackError(
      `${supergraphPath} has the subgraph ${notRun}, which the stack does not run: add apps/${notRun}/app.yaml (kind: subgraph, or kind: external if it runs elsewhere), or remove it from supergraph.yaml and run pnpm compose`,
    );
  }
  const notComposed = run.find((name) => !composed.includes(name));
  if (notComposed !== undefined) {
    throw new StackError(
      `${supergraphPath} lacks the subgraph ${notComposed}, which has apps/${notComposed}/app.yaml: add it to supergraph.yaml and run pnpm compose`,
    );
  }
}

/** The names of subgraphs in the enum join__Graph. */
function subgraphsIn(supergraphSdl: string): string[] {
  return Array.from(
    supergraphSdl.matchAll(/@join__graph\(name: "(?<name>[^"]+)"/gu),
    ({ groups }) => groups?.['name'] ?? '',
  );
}
