import { execFileSync } from 'node:child_process';

/** Large files and long histories are read too. */
const maxBytes = 256 * 1024 * 1024;

/**
 * The output of git.
 *
 * @param directory that it runs in. Default: the working directory
 * @throws {Error} where git fails, or is not installed
 */
export function runGit(args: readonly string[], directory?: string): string {
  return execFileSync('git', args, {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: maxBytes,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** The output of git; undefined where it fails, or is not installed. */
export function tryGit(args: readonly string[], directory?: string): string | undefined {
  try {
    return runGit(args, directory);
  } catch {
    return undefined;
  }
}
