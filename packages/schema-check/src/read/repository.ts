import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CommandError } from '@meridian/command-line';

/** Reads a file of one version of the repository; undefined for one that is not there. */
export type ReadFile = (path: string) => string | undefined;

/** A version of the repository. */
export interface Version {
  /** As messages call it. */
  readonly name: string;
  readonly read: ReadFile;
}

/** The files as they are on the disk. */
export function workingTree(root: string): Version {
  return {
    name: 'the working tree',
    read(path) {
      try {
        return readFileSync(join(root, path), 'utf8');
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
          return undefined;
        }
        throw error;
      }
    },
  };
}

/**
 * The files of the last commit that a ref has in common with what is checked out: what others have merged since is not a change
 * of this branch. Read from git's own store, without the network.
 *
 * @throws {CommandError} for a ref that is not there, and outside a repository
 */
export function versionAt(root: string, ref: string): Version {
  const commit = mergeBase(root, ref);
  return {
    name: `${ref} (${commit.slice(0, 8)})`,
    read: (path) => git(root, ['show', `${commit}:./${path}`]),
  };
}

/** The last commit that is this many days old; undefined if history does not reach back that far. */
export function versionBefore(root: string, ref: string, days: number): Version | undefined {
  const day = new Date(Date.now() - days * 86_400_000).toISOString();
  const commit = git(root, ['rev-list', '-1', `--before=${day}`, mergeBase(root, ref)])?.trim();
  return commit
    ? { name: commit.slice(0, 8), read: (path) => git(root, ['show', `${commit}:./${path}`]) }
    : undefined;
}

function mergeBase(root: string, ref: string): string {
  const commit = git(root, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${ref}^{commit}`,
  ])?.trim();
  if (commit === undefined) {
    throw new CommandError(
      `Cannot read the base: ${ref} is not a commit of this repository. Fetch it (git fetch origin), or name another with --base`,
    );
  }
  return git(root, ['merge-base', commit, 'HEAD'])?.trim() || commit;
}

/** A schema is text of a few megabytes at most. */
const maxBytes = 256 * 1024 * 1024;

/** The output of git; undefined where it fails. */
function git(root: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: maxBytes,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new CommandError('Cannot read the base: git is not installed', { cause: error });
    }
    return undefined;
  }
}
