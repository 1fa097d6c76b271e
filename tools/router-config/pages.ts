// The pages of docs/ about the keys of router.yaml, which are written by program.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

import { differencesPage, referencePage } from '@meridian/router-config';

const pages = {
  'docs/router-yaml.md': referencePage,
  'docs/differences-from-apollo-router.md': differencesPage,
};

/** Writes the pages. */
export function writePages(): void {
  for (const [page, write] of Object.entries(pages)) {
    writeFileSync(placeOf(page), write());
  }
}

/** Says which pages are out of date; then the exit code is 1. */
export function comparePages(): void {
  const stale = Object.entries(pages).filter(
    ([page, write]) => readFileSync(placeOf(page), 'utf8') !== write(),
  );
  process.stdout.write(
    stale.length === 0
      ? `${Object.keys(pages).join(' and ')} are up to date\n`
      : `out of date: ${stale.map(([page]) => page).join(', ')}: pnpm router-config reference\n`,
  );
  process.exitCode = stale.length === 0 ? 0 : 1;
}

function placeOf(page: string): URL {
  return new URL(`../../${page}`, import.meta.url);
}
