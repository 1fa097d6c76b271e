import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * Reads the version that the workspace has of each package from npm.
 *
 * @param root of the workspace
 */
export function readWorkspaceVersions(root: string): ReadonlyMap<string, string> {
  const { catalog }: { catalog: Record<string, string> } = parse(
    readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'),
  );
  const named = globSync('{apps,packages/*}/*/package.json', { cwd: root }).flatMap((file) => {
    const manifest: Manifest = JSON.parse(readFileSync(join(root, file), 'utf8'));
    return Object.entries({ ...manifest.devDependencies, ...manifest.dependencies });
  });
  return new Map([
    ...named.filter(([, range]) => /^\d/u.test(range)),
    // Last: the version that most packages have.
    ...Object.entries(catalog),
  ]);
}
