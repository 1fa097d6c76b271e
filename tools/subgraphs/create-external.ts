import { readFileSync } from 'node:fs';

import { readMembers, variableOf } from '@meridian/local-stack/apps';
import type { ExternalSubgraph } from '@meridian/local-stack/apps';
import { CommandError, UsageError } from '@meridian/settings/command-line';
import { stringify } from 'yaml';

import { assertFreeName } from './assert-free-name.ts';
import { compositionErrors } from './composition-errors.ts';
import { writeSubgraph } from './write-subgraph.ts';

/** A call of `pnpm create-subgraph --external`. */
export interface CreateExternalOptions extends Omit<ExternalSubgraph, 'kind'> {
  /** The file that has its schema. */
  readonly schema: string;
  readonly dryRun: boolean;
}

/**
 * Adds a subgraph that runs elsewhere to every list of apps.
 *
 * @throws {UsageError} for a name or a file that it cannot take
 * @throws {CommandError} when it does not compose with the others; nothing is written then
 */
export async function createExternal({ schema, dryRun, ...subgraph }: CreateExternalOptions): Promise<void> {
  const { name, owner, url, headers } = subgraph;
  assertFreeName(name);
  const sdl = readSchema(schema);
  const inGraph = readMembers('.').filter(({ kind }) => kind === 'subgraph' || kind === 'external');
  const errors = compositionErrors(inGraph, { name, routingUrl: url, sdl });
  if (errors.length > 0) {
    throw new CommandError(
      [`${name} does not compose with the others, and nothing is written:`, ...errors].join('\n  '),
    );
  }
  const content = { kind: 'external', owner, url, ...(headers.length === 0 ? {} : { headers }) };
  const files = new Map([
    [
      `apps/${name}/app.yaml`,
      `# yaml-language-server: $schema=../../packages/development/local-stack/app.schema.json\n${stringify(content)}`,
    ],
    [`apps/${name}/schema.graphql`, sdl.endsWith('\n') ? sdl : `${sdl}\n`],
  ]);
  const left = await writeSubgraph({ kind: 'external', ...subgraph }, files, { dryRun });
  if (left !== undefined) {
    const steps = [
      `pnpm start     runs the graph with it. ${variableOf(name)} is its address there, if not ${url}`,
      'pnpm check     says what changes for clients',
      ...left,
      'pnpm verify    before you push',
    ];
    console.log(
      `${name} is asked at ${url}, owned by ${owner}. Next:\n${steps.map((step) => `  ${step}`).join('\n')}`,
    );
  }
}

function readSchema(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--schema cannot be read: ${reason}`, { cause: error });
  }
}
