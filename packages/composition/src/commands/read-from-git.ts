import { execFileSync } from 'node:child_process';

/** The text of a file at a git ref; undefined if git, the ref or the file is missing. */
export function readFromGit(ref: string, path: string): string | undefined {
  try {
    return execFileSync('git', ['show', '--end-of-options', `${ref}:./${path}`], {
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}
