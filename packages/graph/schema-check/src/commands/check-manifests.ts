import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { relative } from 'node:path';

import { CommandError, UsageError, counted } from '@meridian/settings/command-line';
import { readClientSchema, readText } from '@meridian/composition/commands/read-client-schema';
import type { Supergraph } from '@meridian/executor';
import { SupergraphError, loadSupergraph } from '@meridian/executor';
import { findManifests, operationKey } from '@meridian/manifest';

import { deprecatedElements } from '../deprecations/deprecated-elements.ts';
import type { CheckedManifest, CheckedOperation } from '../manifests/check-manifest.ts';
import { checkManifest } from '../manifests/check-manifest.ts';
import { figuresTable, figuresText, highestFigures, shownName } from '../manifests/describe-figures.ts';
import type { JudgeOperations } from '../plans/figures.ts';
import type { DeprecationDay } from '../deprecations/deprecated-since.ts';
import { createDeprecatedSince } from '../deprecations/deprecated-since.ts';
import type { DueDay } from '../deprecations/due-day.ts';
import { describeDue, dueDay } from '../deprecations/due-day.ts';
import { workingTree } from '../read/repository.ts';
import { readRules, rulesFile } from '../rules/rules.ts';

/** The call of `pnpm manifest check`. */
export interface ManifestCheck {
  /** Files, folders or globs. */
  readonly paths: readonly string[];
  /** A supergraph, or an API schema. */
  readonly schemaFile: string;
  /** Of the gateway. Default: router.yaml, where there is one. */
  readonly configFile: string | undefined;
  /** True to print the figures of each operation. */
  readonly showsFigures: boolean;
  /** Operations must not use what may be removed within so many days. Default: uses are printed only. */
  readonly minimumDays: number | undefined;
  /** The repository. Default: the working directory. */
  readonly root?: string;
  /** The gateway's judgement under the limits of a router.yaml. */
  readonly judgeUnder: (routerConfig: string | undefined, file: string) => JudgeOperations;
}

/**
 * `pnpm manifest check`: checks that manifests can be read, that their operations fit the schema and the limits of the
 * gateway, and finds the deprecated elements that they use.
 *
 * @returns the lines to print
 * @throws {CommandError} with every fault
 * @throws {UsageError} for a router.yaml that is not there
 */
export function checkManifests(call: ManifestCheck): string {
  const { schemaFile, root = process.cwd() } = call;
  const graph = readGraphFile(schemaFile);
  const deprecated = deprecatedElements(graph.apiSchema);
  const limits = readConfig(call.configFile);
  const judge = call.judgeUnder(limits.text, limits.name)(graph);
  const manifests = findManifests(call.paths).map((file) =>
    checkManifest(file, { graph, deprecated, judge }),
  );
  const deprecations = findDeprecations(manifests, root, schemaFile);
  const allFaults = [
    ...manifests.flatMap(({ fault }) => fault ?? []),
    ...textConflicts(manifests),
    ...manifests.flatMap(({ file, operations }) =>
      operations.filter(({ faults }) => faults.length > 0).map((operation) => faultText(file, operation)),
    ),
    ...deprecations
      .filter(({ due: { daysLeft = 0 } }) => call.minimumDays !== undefined && daysLeft < call.minimumDays)
      .map((deprecation) => `${deprecation.file}: ${describeDeprecation(deprecation).join('\n')}`),
  ];
  if (allFaults.length > 0) {
    throw new CommandError(allFaults.join('\n\n'));
  }
  const lines = manifests.flatMap(({ file, operations }) =>
    [
      `${file}: ${counted(operations.length, 'operation')}, valid for ${schemaFile}, within the limits of ${limits.name}`,
    ].concat(
      details(
        operations,
        deprecations.filter((deprecation) => deprecation.file === file),
        call,
      ).map((line) => `  ${line}`),
    ),
  );
  const missing = `${schemaFile} is an API schema, which has neither costs nor page sizes: check against the supergraph for these`;
  return `${[...lines, ...('sdl' in graph ? [] : [missing])].join('\n')}\n`;
}

function readGraphFile(file: string): Supergraph | Pick<Supergraph, 'apiSchema'> {
  const text = readText(file);
  if (!/\bjoin__Graph\b/u.test(text)) {
    return { apiSchema: readClientSchema(file) };
  }
  try {
    return loadSupergraph(text);
  } catch (error) {
    throw error instanceof SupergraphError
      ? new CommandError(`Cannot read ${file}: ${error.message}`, { cause: error })
      : error;
  }
}

function readConfig(file: string | undefined): { readonly name: string; readonly text: string | undefined } {
  const name = file ?? 'router.yaml';
  if (existsSync(name)) {
    return { name, text: readFileSync(name, 'utf8') };
  }
  if (file !== undefined) {
    throw new UsageError(`${file} is not there`);
  }
  return { name: "the gateway's defaults", text: undefined };
}

/** Identifiers with different texts in different files. */
function textConflicts(manifests: readonly CheckedManifest[]): string[] {
  const known = new Map<string, { readonly file: string; readonly text: string }>();
  const faults: string[] = [];
  for (const { file, operations } of manifests) {
    for (const { id, clientName, text } of operations) {
      const key = operationKey(id, clientName);
      const first = known.get(key) ?? { file, text };
      known.set(key, first);
      if (first.text !== text) {
        faults.push(`${file}: the identifier ${JSON.stringify(id)} has another text in ${first.file}`);
      }
    }
  }
  return faults;
}

function faultText(file: string, { id, name, faults, judgement }: CheckedOperation): string {
  return [
    `${file}: ${name === '' ? 'an anonymous operation' : name} (${id})`,
    ...faults,
    ...(judgement === undefined || judgement.sizes.length === 0 ? [] : [`It has ${figuresText(judgement)}`]),
  ].join('\n');
}

function details(
  operations: readonly CheckedOperation[],
  deprecations: readonly DeprecationInUse[],
  { showsFigures }: Pick<ManifestCheck, 'showsFigures'>,
): readonly string[] {
  const highest = highestFigures(operations);
  return [
    ...(highest.length === 0 ? [] : [`highest: ${highest.join(', ')}`]),
    ...(showsFigures ? figuresTable(operations) : []),
    ...deprecations.flatMap(describeDeprecation),
  ];
}

/** A deprecated element in one manifest, and the operations there that use it. */
interface DeprecationInUse {
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
function findDeprecations(
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
function describeDeprecation({
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
