import { cpSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

const left = new Set(['.git', '.data', '.turbo']);

/** Copies a workspace, but what is installed: the packages have links of their own to each other, and share the rest. */
export function copyWorkspace(root: string, to: string): void {
  const shared = join(root, 'node_modules');
  cpSync(root, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => source !== shared && !left.has(basename(source)),
  });
  symlinkSync(shared, join(to, 'node_modules'));
}

/** Names of packages, those that have a scope with another one. */
export function inScope(
  names: Readonly<Record<string, string>>,
  scope: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(names).map(([name, published]) => [name, published.replace(/^@[^/]+/u, scope)]),
  );
}

/** The scope of the first name that has one. */
export function scopeOf(names: Readonly<Record<string, string>>): string {
  return (
    Object.values(names)
      .find((name) => name.startsWith('@'))
      ?.split('/')[0] ?? ''
  );
}
