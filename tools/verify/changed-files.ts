import { runGit, tryGit } from '@meridian/settings/command-line';

/** The files that were changed or added since this branch left the main branch, committed or not. */
export function changedFiles(): string[] {
  const base = ['origin/main', 'main'].find(exists) ?? 'HEAD';
  return [
    runGit(['diff', '--name-only', '--diff-filter=d', '--merge-base', base]),
    runGit(['ls-files', '--others', '--exclude-standard']),
  ].flatMap((output) => output.split('\n').filter((line) => line !== ''));
}

function exists(revision: string): boolean {
  return tryGit(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`]) !== undefined;
}
