import { relative } from 'node:path';

import type { DeprecationDay } from '../deprecations/deprecated-since.ts';
import { createDeprecatedSince } from '../deprecations/deprecated-since.ts';
import type { DueDay } from '../deprecations/due-day.ts';
import { describeDue, dueDay } from '../deprecations/due-day.ts';
import { workingTree } from '../read/repository.ts';
import { readRules, rulesFile } from '../rules/rules.ts';
import type { CheckedManifest } from './check-manifest.ts';
import { shownName } from './describe-figures.ts';

/** A deprecated element in one manifest, and the operations there that use it. */
export interface DeprecationInUse {
  readonly file: string;
  readonly coordinate: string;
  readonly reason: string;
  readonly since: DeprecationDay | undefined;
  readonly due: DueDay;
  readonly operations: readonly string[];
}

/**
 * Finds the deprecated elements that manifests use, with their days in git's history of the schema file.
 *
 * @param root of the repository
 * @throws {CommandError} for a schema-check.yaml that is not understood
 */
export function findDeprecations(
  manifests: readonly CheckedManifest[],
  root: string,
  schemaFile: string,
): readonly DeprecationInUse[] {
  const sinceOf = createDeprecatedSince(root);
  const { deprecationDays } = readRules(workingTree(root).read(rulesFile));
  return manifests.flatMap(({ file, operations }) => {
    const uses = operations.flatMap((operation) =>
      operation.deprecated.map((use) => ({
        ...use,
        operation: `${shownName(operation)}${use.isCertain ? '' : ' (perhaps, in variables)'}`,
      })),
    );
    return Array.from(
      Map.groupBy(uses, ({ element }) => element),
      ([{ coordinate, reason }, same]) => {
        const since = sinceOf(relative(root, schemaFile), coordinate);
        return {
          file,
          coordinate,
          reason,
          since,
          due: dueDay(since, deprecationDays, new Date()),
          operations: [...new Set(same.map(({ operation }) => operation))],
        };
      },
    );
  });
}

/** Two lines for a terminal. */
export function describeDeprecation({
  coordinate,
  reason,
  since,
  due,
  operations,
}: DeprecationInUse): readonly string[] {
  return [
    `deprecated: ${coordinate}, ${describeDue(since, due)}. ${reason}`,
    `  used by ${operations.join(', ')}`,
  ];
}
