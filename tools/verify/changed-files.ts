import { execFileSync } from 'node:child_process';

/** The files that were changed or added since this branch left the main branch, committed or not. */
export function changedFiles(): string[] {
  const base = ['origin/main', 'main', 'HEAD'].find(exists) ?? 'HEAD';
  return [
    ...git('diff', '--name-only', '--diff-filter=d', '--merge-base', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}

function exists(revision: string): boolean {
  try {
    git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

function git(...args: readonly string[]): string[] {
  return execFileSync('git', args, { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');
}
