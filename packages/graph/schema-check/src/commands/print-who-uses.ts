import process from 'node:process';

import { printableTexts } from '@meridian/settings/values';
import { alignColumns, counted } from '@meridian/settings/command-line';

import { createDeprecatedSince } from '../deprecations/deprecated-since.ts';
import type { GraphConfigFile } from '../limits/gateway-limits.ts';
import { routerFile } from '../limits/gateway-limits.ts';
import type { ReadFigures } from '../plans/figures.ts';
import { workingTree } from '../read/repository.ts';
import type { GraphInRepository, KnownGraph } from '../operations/known-graph.ts';
import { readKnownGraph } from '../operations/known-graph.ts';
import type { FieldFigures, OwnedPlace, UsingOperation, WhoReport } from '../who/who-uses.ts';
import { whoUses } from '../who/who-uses.ts';
import { describeSince } from '../deprecations/due-day.ts';

export interface WhoOptions extends GraphInRepository {
  /** `Product.stock`. */
  readonly coordinate: string;
  readonly format: 'text' | 'json';
  /** The gateway's way to compute figures of operations, under the limits of a router.yaml. */
  readonly createReadFigures: (routerConfig: string | undefined, ofGraph?: GraphConfigFile) => ReadFigures;
  /** The gateway's way to compute figures of fields. */
  readonly createReadFieldFigures: (
    supergraph: KnownGraph['graph']['supergraph'],
  ) => (typeName: string, fieldName: string) => FieldFigures;
}

/**
 * Prints who owns and who uses an element of the working tree's schema.
 *
 * @throws {CommandError} for a coordinate that the schema does not have, and for what cannot be read
 */
export function printWhoUses({
  coordinate,
  format,
  createReadFigures,
  createReadFieldFigures,
  ...inRepository
}: WhoOptions): void {
  const { root, served } = inRepository;
  const known = readKnownGraph(inRepository);
  const { supergraph } = known.graph;
  const report = whoUses({
    coordinate,
    known,
    deprecatedSince: createDeprecatedSince(root),
    figuresOf: createReadFigures(workingTree(root).read(routerFile), served?.chosen.config)(supergraph),
    fieldFiguresOf: createReadFieldFigures(supergraph),
  });
  process.stdout.write(
    format === 'json' ? `${JSON.stringify(report, null, 2)}\n` : describeWho(printableTexts(report)),
  );
}

/** Describes the owners and users of an element for a terminal. */
export function describeWho(report: WhoReport): string {
  const { coordinate, element, places, operations, isUsageSufficient, usageReason } = report;
  const { kind, type } = element;
  const lines = [
    `${coordinate}${type === undefined ? '' : `: ${type}`} (${kind})`,
    ...deprecationLines(report),
    ...figureLines(report),
    '',
    ...places.map(describePlace),
    '',
    ...(operations.length === 0
      ? ['No operation of the manifests or of recorded usage uses it.']
      : [`${counted(operations.length, 'operation')}:`, ...describeOperations(operations)]),
    '',
    isUsageSufficient
      ? `Seen: the manifests and ${usageReason}.`
      : `Seen: the manifests. Operations that only usage knows may be missing: ${usageReason}.`,
  ];
  return `${lines.join('\n')}\n`;
}

function deprecationLines({
  element: { deprecationReason },
  deprecatedSince: day,
}: WhoReport): readonly string[] {
  if (deprecationReason === undefined) {
    return [];
  }
  return [`deprecated${day === undefined ? '' : `, ${describeSince(day)}`}: ${deprecationReason}`];
}

function figureLines({ figures }: WhoReport): readonly string[] {
  const { cost = 0, requires, cache } = figures ?? {};
  const parts = [
    ...(requires === undefined ? [] : [`needs ${requires}`]),
    ...(cost === 0 ? [] : [`cost ${cost}`]),
    ...(cache === undefined ? [] : [`cache hint ${cache}`]),
  ];
  return parts.length === 0 ? [] : [parts.join('; ')];
}

function describePlace({ subgraph, owners, file, line }: OwnedPlace): string {
  const where = file === undefined ? '' : ` at ${file}:${line ?? 1}`;
  return `${subgraph}${where}, owned by ${owners.length === 0 ? 'nobody in CODEOWNERS' : owners.join(' ')}`;
}

function describeOperations(operations: readonly UsingOperation[]): readonly string[] {
  const rows = operations.flatMap(({ name, cost: estimated, clients }) =>
    clients.map(({ name: client, owners, version, requests, lastDay, p95Ms, failedShare, cost }, index) => [
      index === 0 ? name || '(anonymous)' : '',
      index > 0 || estimated === undefined ? '' : `cost ${estimated}`,
      client || '(unnamed client)',
      version ?? 'any version',
      requests === undefined ? 'no recorded use' : counted(requests, 'request'),
      lastDay === undefined ? '' : `last on ${lastDay}`,
      p95Ms === undefined ? '' : `p95 ${p95Ms.toFixed(0)} ms`,
      failedShare === undefined ? '' : `${(failedShare * 100).toFixed(1)} % errors`,
      cost === undefined ? '' : `mean cost ${cost.toFixed(1)}`,
      owners.length === 0 ? '' : `of ${owners.join(' ')}`,
    ]),
  );
  const used = (rows[0] ?? []).map((_, column) => rows.some((row) => row[column] !== ''));
  return alignColumns(rows.map((row) => row.filter((_, column) => used[column]))).map((line) => `  ${line}`);
}
