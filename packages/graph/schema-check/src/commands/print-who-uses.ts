import process from 'node:process';

import { printableTexts } from '@meridian/settings/values';

import { createDeprecatedSince } from '../deprecations/deprecated-since.ts';
import type { GraphConfigFile } from '../limits/gateway-limits.ts';
import { routerFile } from '../limits/gateway-limits.ts';
import type { ReadFigures } from '../plans/figures.ts';
import { workingTree } from '../read/repository.ts';
import { describeWho } from '../who/describe-who.ts';
import { readKnownGraph } from '../operations/known-graph.ts';
import type { GraphInRepository, KnownGraph } from '../operations/known-graph.ts';
import type { FieldFigures } from '../who/who-uses.ts';
import { whoUses } from '../who/who-uses.ts';

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
