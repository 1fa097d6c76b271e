import { elementsOf } from '@meridian/schema-changes';
import { GraphQLError, parse } from 'graphql';

import type { PastFile } from '../read/repository.ts';
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

/**
 * Finds since when an element of a subgraph's schema is deprecated, for one that is deprecated now. Undefined outside a
 * repository.
 *
 * @param root of the repository
 * @param file of the schema, relative to it
 */
export function deprecatedSince(root: string, file: string, coordinate: string): DeprecationDay | undefined {
  const history = historyOf(root, file, maxCommits);
  if (history === undefined) {
    return undefined;
  }
  let since: string | null = null;
  for (const past of history.commits) {
    if (!isDeprecatedIn(past, coordinate)) {
      return { since, isExact: true };
    }
    since = past.day;
  }
  return { since, isExact: history.isComplete };
}

function isDeprecatedIn({ read }: PastFile, coordinate: string): boolean {
  try {
    return elementsOf(parse(read() ?? '')).some(
      (element) =>
        element.coordinate === coordinate &&
        element.directives.some(({ name }) => name.value === 'deprecated'),
    );
  } catch (error) {
    // A commit whose schema did not parse says nothing of it.
    if (error instanceof GraphQLError) {
      return false;
    }
    throw error;
  }
}
