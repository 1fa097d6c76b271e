import { globSync, readFileSync, statSync } from 'node:fs';
import { join, matchesGlob, posix } from 'node:path';

import { CommandError, tryGit } from '@meridian/settings/command-line';
import { printable } from '@meridian/settings/values';

/** Reads a file of one version of the repository; undefined for one that is not there. */
export type ReadFile = (path: string) => string | undefined;

/** A version of the repository. */
export interface Version {
  /** As messages call it. */
  readonly name: string;
  readonly read: ReadFile;
  /** The files that a glob matches, in the order of their names. */
  readonly find: (glob: string) => readonly string[];
}

/** The files as they are on the disk. */
export function workingTree(root: string): Version {
  return {
    name: 'the working tree',
    read(path) {
      try {
        return readFileSync(join(root, path), 'utf8');
      } catch (error) {
        if (error instanceof Error && 'code' in error && isNoFile(error.code)) {
          return undefined;
        }
        throw error;
      }
    },
    find: (glob) =>
      globSync(glob, { cwd: root })
        .filter((path) => statSync(join(root, path)).isFile())
        .toSorted(),
  };
}

/** Errors for a path with nothing there, with a folder there, and below a file. */
function isNoFile(code: unknown): boolean {
  return code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR';
}

/**
 * The files of the last commit that a ref has in common with what is checked out: what others have merged since is not
 * a change of this branch. Read from git's own store, without the network.
 *
 * @throws {CommandError} for a ref that is not there, and outside a repository
 */
export function versionAt(root: string, ref: string): Version {
  const commit = mergeBase(root, ref);
  return commitVersion(root, commit, `${ref} (${commit.slice(0, 8)})`);
}

/** The last commit that is this many days old; undefined if history does not reach back that far. */
export function versionBefore(root: string, ref: string, days: number): Version | undefined {
  const day = new Date(Date.now() - days * 86_400_000).toISOString();
  const commit = tryGit(['rev-list', '-1', `--before=${day}`, mergeBase(root, ref)], root)?.trim();
  return commit ? commitVersion(root, commit, commit.slice(0, 8)) : undefined;
}

function commitVersion(root: string, commit: string, name: string): Version {
  const texts = new Map<string, string | undefined>();
  let paths: ReadonlySet<string> | undefined;
  const listPaths = (): string => tryGit(['ls-tree', '-r', '-z', '--name-only', commit], root) ?? '';
  const list = (): ReadonlySet<string> =>
    (paths ??= new Set(
      listPaths()
        .split('\0')
        .filter((path) => path !== ''),
    ));
  return {
    name,
    read(path) {
      const relative = posix.normalize(`./${path}`);
      if (!relative.startsWith('../') && !list().has(relative)) {
        return undefined;
      }
      if (!texts.has(relative)) {
        // Unlike `git show`, it fails for a folder.
        texts.set(relative, tryGit(['cat-file', 'blob', `${commit}:./${relative}`], root));
      }
      return texts.get(relative);
    },
    find: (glob) => [...list()].filter((path) => matchesGlob(path, glob)),
  };
}

/** A file as a commit has it. */
export interface PastFile {
  readonly commit: string;
  /** Of the commit: `2026-01-31`. */
  readonly day: string;
  /** Of the commit, without control characters, as is its subject. */
  readonly author: string;
  readonly subject: string;
  readonly read: () => string | undefined;
}

export interface FileHistory {
  /** The commits that changed the file, the newest first. */
  readonly commits: readonly PastFile[];
  /** True where the history starts with the file itself, rather than with a shallow clone or at the limit. */
  readonly isComplete: boolean;
}

const logFormat = '%H%x00%cs%x00%an%x00%s';

/** The history of a file of the working tree; undefined where git has none. */
export function historyOf(root: string, path: string, maxCommits: number): FileHistory | undefined {
  const log = tryGit(['log', `--max-count=${maxCommits}`, `--format=${logFormat}`, '--', path], root);
  const lines = (log ?? '').split('\n').filter((line) => line !== '');
  if (lines.length === 0) {
    return undefined;
  }
  return {
    commits: lines.map((line) => {
      const [commit = '', day = '', author = '', subject = ''] = line.split('\0').map(printable);
      return { commit, day, author, subject, read: () => tryGit(['show', `${commit}:./${path}`], root) };
    }),
    isComplete: !isShallow(root) && lines.length < maxCommits,
  };
}

function isShallow(root: string): boolean {
  return tryGit(['rev-parse', '--is-shallow-repository'], root)?.trim() !== 'false';
}

function mergeBase(root: string, ref: string): string {
  const commit = tryGit(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`],
    root,
  )?.trim();
  if (commit === undefined) {
    if (tryGit(['--version'], root) === undefined) {
      throw new CommandError('Cannot read the base: git is not installed');
    }
    const fetch = isShallow(root)
      ? 'git fetch --unshallow origin, as this clone is shallow'
      : 'git fetch origin';
    throw new CommandError(
      `Cannot read the base: ${ref} is not a commit of this repository. Fetch it (${fetch}), or name another with --base`,
    );
  }
  return tryGit(['merge-base', commit, 'HEAD'], root)?.trim() || commit;
}
