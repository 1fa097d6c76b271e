import { posix } from 'node:path';

import { CommandError } from '@meridian/settings/command-line';
import type { ListedOperation } from '@meridian/manifest';
import { appNames, parseManifest } from '@meridian/manifest';

import type { OwnersOf } from './code-owners.ts';
import type { Version } from './repository.ts';
import type { ManifestRule } from '../rules/rules.ts';
import { readRules, rulesFile } from '../rules/rules.ts';

/** A place outside the schemas. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
}

/** An operation of a manifest, and the client whose manifest it is. */
export interface ClientOperation extends ListedOperation {
  readonly client: string;
  /** The versions of the client still in the field; empty where any may be. */
  readonly versions: readonly string[];
  /** Of the client: by the rule that names the manifest, else by CODEOWNERS. */
  readonly owners?: readonly string[];
  /** The line of its identifier. */
  readonly place?: () => FilePlace;
}

/** The operations that clients may send before and after a change. */
export interface ListedOperations {
  readonly listedBefore: readonly ClientOperation[];
  readonly listedAfter: readonly ClientOperation[];
}

/**
 * Reads the manifests of both versions. The base's are those that its own rules name, too: a change of the rules does not
 * hide operations that released clients send. A path may name files of one version only, whose manifest is new or gone.
 *
 * @param rules of the head
 * @param counts leaves files of each version out. Default: none
 * @param ownersOf the owners of a file, by the head's CODEOWNERS
 * @throws {CommandError} for a path of these rules that names no file of either version
 * @throws {ManifestError}
 */
export function readManifestsOfBoth(
  base: Version,
  head: Version,
  rules: readonly ManifestRule[],
  ownersOf?: OwnersOf,
  counts?: { readonly before: CountsFile; readonly after: CountsFile },
): ListedOperations {
  assertNamesFiles(rules, [base, head]);
  return {
    // The head's rules come first, so that a client that they rename has one name in both versions.
    listedBefore: readManifests(base, [...rules, ...manifestRulesOf(base)], ownersOf, counts?.before),
    listedAfter: readManifests(head, rules, ownersOf, counts?.after),
  };
}

type CountsFile = (file: string) => boolean;

/**
 * Checks that each path names files of one of the versions. The default path may name none: clients need no manifest.
 *
 * @throws {CommandError} with all paths that name none
 */
export function assertNamesFiles(rules: readonly ManifestRule[], versions: readonly Version[]): void {
  const faults = rules.flatMap(({ key, path }) =>
    key === undefined || versions.some((version) => filesAt(version, path).size > 0)
      ? []
      : [`${rulesFile}: ${key} ${path} names no file`],
  );
  if (faults.length > 0) {
    throw new CommandError(faults.join('\n'));
  }
}

/**
 * Reads the manifests of a version. A path that names no file lists nothing. A file that several paths name is read once,
 * by the first of them.
 *
 * @throws {ManifestError}
 */
export function readManifests(
  version: Version,
  manifests: readonly ManifestRule[],
  ownersOf: OwnersOf = () => [],
  counts: CountsFile = () => true,
): readonly ClientOperation[] {
  const known = new Set<string>();
  return manifests.flatMap((rule) => {
    const files = filesAt(version, rule.path);
    const names = appNames([...files.keys()]);
    const unread = [...files].filter(([file]) => !known.has(file) && counts(file));
    for (const [file] of unread) {
      known.add(file);
    }
    return unread.flatMap(([file, text]) => {
      const operations = parseManifest(file, text);
      const lineOf = createLineOf(operations, text);
      return operations.map(({ id, name, text: document, clientName, app }) => ({
        id,
        name,
        text: document,
        clientName,
        client: clientName ?? app?.name ?? rule.client ?? names.get(file) ?? file,
        versions: app?.versions ?? [],
        owners: rule.owners ?? ownersOf(file),
        place: () => ({ file, line: lineOf(id) }),
      }));
    });
  });
}

/** The lines of identifiers, found in one pass at the first call; 1 for one that is not written in the order listed. */
function createLineOf(operations: readonly { readonly id: string }[], text: string): (id: string) => number {
  let lines: Map<string, number> | undefined;
  return (id) => (lines ??= linesOf(operations, text)).get(id) ?? 1;
}

function linesOf(operations: readonly { readonly id: string }[], text: string): Map<string, number> {
  const lines = new Map<string, number>();
  let [end, line] = [0, 1];
  for (const { id } of operations) {
    const start = text.indexOf(JSON.stringify(id), end);
    if (start === -1) {
      break;
    }
    line += text.slice(end, start).split('\n').length - 1;
    end = start;
    lines.set(id, line);
  }
  return lines;
}

/** The rules of a base; none where its file cannot be read, so that a change can fix it. */
function manifestRulesOf({ read }: Version): readonly ManifestRule[] {
  try {
    return readRules(read(rulesFile)).manifests;
  } catch (error) {
    if (error instanceof CommandError) {
      return [];
    }
    throw error;
  }
}

/** The texts of the files at a path: a file, the `*.json` files of a folder, or the matches of a glob. */
export function filesAt({ read, find }: Version, path: string): ReadonlyMap<string, string> {
  const plainPath = posix.normalize(path);
  const isGlob = /[*?[{]/u.test(plainPath);
  const folder = plainPath.replace(/\/$/u, '');
  const inFolder = isGlob ? [] : find(`${folder}/*.json`);
  const files = isGlob ? find(plainPath) : inFolder.length > 0 ? inFolder : [plainPath];
  return new Map(
    files.flatMap((file) => {
      const text = read(file);
      return text === undefined ? [] : [[file, text] as const];
    }),
  );
}
