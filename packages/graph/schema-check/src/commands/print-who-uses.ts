import process from 'node:process';

import { printableTexts } from '@meridian/settings/values';

import { createDeprecatedSince } from '../deprecations/deprecated-since.ts';
import type { ReadFigures } from '../plans/figures.ts';
import { workingTree } from '../read/repository.ts';
import type { RecordedUsage } from '../read/usage-file.ts';
import { describeWho } from '../who/describe-who.ts';
import { readKnownGraph } from '../operations/known-graph.ts';
import type { KnownGraph } from '../operations/known-graph.ts';
import type { FieldFigures } from '../who/who-uses.ts';
import { whoUses } from '../who/who-uses.ts';

export interface WhoOptions {
  /** `Product.stock`. */
  readonly coordinate: string;
  /** Absent where none is at hand. */
  readonly usage: RecordedUsage | undefined;
  readonly format: 'text' | 'json';
  /** The gateway's way to compute figures of operations, under the limits of a router.yaml. */
  readonly createReadFigures: (routerConfig: string | undefined) => ReadFigures;
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
  usage,
  format,
  createReadFigures,
  createReadFieldFigures,
}: WhoOptions): void {
  const root = process.cwd();
  const known = readKnownGraph(root, usage);
  const { supergraph } = known.graph;
  const report = whoUses({
    coordinate,
    known,
    deprecatedSince: createDeprecatedSince(root),
    figuresOf: createReadFigures(workingTree(root).read('router.yaml'))(supergraph),
    fieldFiguresOf: createReadFieldFigures(supergraph),
  });
  process.stdout.write(
    format === 'json' ? `${JSON.stringify(report, null, 2)}\n` : describeWho(printableTexts(report)),
  );
}
