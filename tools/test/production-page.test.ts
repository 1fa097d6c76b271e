// docs/production.md lists what a process reads of its environment: no variable less, and none that is not read.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, it } from '@jest/globals';

import { readApps, variableOf } from '../../packages/development/local-stack/src/apps/index.ts';

const root = new URL('../../', import.meta.url);

/** Variables for operators, except those that only `pnpm start` and development set. */
const forDevelopment: ReadonlySet<string> = new Set(['DEVELOPMENT_IDENTITY_PATH', 'GRAPH_PAGE_PATH']);

it('docs/production.md lists the variables that the processes and router.yaml read', () => {
  const read = globSync(
    [
      'apps/*/src/**/{config,*-environment}.ts',
      'packages/{services/service/src,core/settings/src/environment}/**/*.ts',
    ],
    {
      cwd: fileURLToPath(root),
      exclude: ['apps/storefront/**'],
    },
  ).flatMap((path) => namesIn(path, /^\s+([A-Z][A-Z_]+): [a-z]\w+\(/gmu));
  const ofSubgraphs = new Set(readApps(fileURLToPath(root)).map(({ name }) => variableOf(name)));
  const substituted = namesIn('router.yaml', /\$\{env\.([A-Z_]+)/gu).filter((name) => !ofSubgraphs.has(name));
  const listed = namesIn('docs/production.md', /(?<=^\|[^|]*)`([A-Z][A-Z_]+)`/gmu);

  const expected = [...read, ...substituted].filter((name) => !forDevelopment.has(name));
  expect(sorted(listed)).toEqual(sorted(expected));
  // Which of them there are follows from the apps: `pnpm apps:check`.
  expect(readFileSync(new URL('docs/production.md', root), 'utf8')).toContain('`<SUBGRAPH>_URL`');
});

/** The first group of each match. */
function namesIn(path: string, pattern: RegExp): string[] {
  const text = readFileSync(new URL(path, root), 'utf8');
  return Array.from(text.matchAll(pattern), ([, name = '']) => name);
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted();
}
