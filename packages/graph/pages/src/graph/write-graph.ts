import { writeFileSync } from 'node:fs';
import process from 'node:process';

import { counted } from '@meridian/settings/command-line';
import type { GraphInRepository } from '@meridian/schema-check';
import { readKnownGraph } from '@meridian/schema-check';

import type { GatewayFigures } from './read/describe-graph.ts';
import { describeGraph } from './read/describe-graph.ts';
import { writePage } from './write-page.ts';

/** The flags of `pnpm graph`. */
export interface GraphOptions extends GraphInRepository {
  readonly out: string;
  /** For a router.yaml, or for none. */
  readonly figures: GatewayFigures;
}

/**
 * Writes the graph of the working tree as a page.
 *
 * @throws {CommandError} for what cannot be read
 */
export async function writeGraph({ out, figures, ...inRepository }: GraphOptions): Promise<void> {
  const data = await describeGraph(readKnownGraph(inRepository), figures, new Date());
  writeFileSync(out, await writePage(data));
  process.stdout.write(
    `${out}: ${counted(data.types.length, 'type')}, ${counted(data.operations.length, 'operation')}; ${data.usage.reason}\n`,
  );
}
