import { elementsOf } from '@meridian/composition/sdl/elements';
import { GraphQLError, parse } from 'graphql';

import type { FileHistory } from '../read/repository.ts';
import { historyOf } from '../read/repository.ts';

/** The day from which on an element is deprecated, as git's history has it. */
export interface DeprecationDay {
  /** `2026-01-31`; null where the deprecation is not committed yet. */
  readonly since: string | null;
  /** False where the history that is at hand starts later. */
  readonly isExact: boolean;
}

/** More commits of a schema are not read: a deprecation that old has had its time. */
const maxCommits = 500;

/** Finds since when an element of a schema file is deprecated, for one that is deprecated now. */
export type DeprecatedSince = (file: string, coordinate: string) => DeprecationDay | undefined;

/**
 * Reads git's history of schema files, each commit once. A file without history has no days.
 *
 * @param root of the repository; files are relative to it
 */
export function createDeprecatedSince(root: string): DeprecatedSince {
  const histories = new Map<string, History | undefined>();
  return (file, coordinate) => {
    if (!histories.has(file)) {
      histories.set(file, readHistory(root, file));
    }
    const history = histories.get(file);
    return history && dayIn(history, coordinate);
  };
}

interface History extends FileHistory {
  /** Of the commits that were looked at, in their order. */
  readonly deprecated: ReadonlySet<string>[];
}

function readHistory(root: string, file: string): History | undefined {
  const history = historyOf(root, file, maxCommits);
  return history && { ...history, deprecated: [] };
}

function dayIn({ commits, deprecated, isComplete }: History, coordinate: string): DeprecationDay {
  let since: string | null = null;
  for (const [index, { day, read }] of commits.entries()) {
    if (!(deprecated[index] ??= deprecatedIn(read() ?? '')).has(coordinate)) {
      return { since, isExact: true };
    }
    since = day;
  }
  return { since, isExact: isComplete };
}

/** Empty for a schema that does not parse: it says nothing. */
function deprecatedIn(sdl: string): ReadonlySet<string> {
  try {
    return deprecatedCoordinates(sdl);
  } catch (error) {
    if (error instanceof GraphQLError) {
      return new Set();
    }
    throw error;
  }
}

/**
 * The deprecated elements of a schema's text; none of an empty one.
 *
 * @throws {GraphQLError} for one that does not parse
 */
export function deprecatedCoordinates(sdl: string): ReadonlySet<string> {
  return new Set(
    Array.from(sdl === '' ? [] : elementsOf(parse(sdl, { noLocation: true })))
      .filter(({ directives }) => directives.some(({ name }) => name.value === 'deprecated'))
      .map(({ coordinate }) => coordinate),
  );
}
