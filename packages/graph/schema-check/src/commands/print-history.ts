import process from 'node:process';
import { styleText } from 'node:util';

import { CommandError } from '@meridian/settings/command-line';
import { describeChange } from '../changes/change.ts';
import { buildSchema } from 'graphql';

import { schemaElements } from '../changes/api/schema-elements.ts';
import type { HistoryEntry } from '../history/schema-history.ts';
import { schemaHistory } from '../history/schema-history.ts';
import { workingTree } from '../read/repository.ts';
import { readRules, rulesFile } from '../rules/rules.ts';

/** The call of `pnpm graph history`. */
export interface HistoryCall {
  /** Of an element or a type; absent for the whole graph. */
  readonly coordinate: string | undefined;
  /** The first day; absent for all days. */
  readonly since: string | undefined;
  /** The most commits with changes. */
  readonly max: number;
  readonly format: 'text' | 'json';
  /** The repository. Default: the working directory. */
  readonly root?: string;
  /** Takes each part of the output as soon as it is known. Default: the standard output. */
  readonly write?: (text: string) => void;
}

const file = 'supergraph.graphql';

/**
 * Prints what changed in the graph, by commit, the newest first.
 *
 * @throws {CommandError} where git has no history of the supergraph, and for an element that the graph never had
 */
export function printHistory({
  coordinate,
  since,
  max,
  format,
  root = process.cwd(),
  write = (text) => process.stdout.write(text),
}: HistoryCall): void {
  const { ignore } = readRules(workingTree(root).read(rulesFile));
  const entries = schemaHistory(root, file, {
    coordinate,
    since,
    isIncluded: ({ kind }) => !(ignore.descriptions && kind === 'DESCRIPTION_CHANGED'),
  }).take(max);
  if (format === 'json') {
    write(`${JSON.stringify(entries.toArray(), null, 2)}\n`);
    return;
  }
  let isEmpty = true;
  let hasChanges = false;
  for (const entry of entries) {
    write(`${isEmpty ? '' : '\n'}${describeEntry(entry)}`);
    isEmpty = false;
    hasChanges ||= entry.changes.length > 0;
  }
  if (!hasChanges) {
    assertExists(coordinate, workingTree(root).read(file));
  }
  if (isEmpty) {
    write(
      `No commit of ${file} changed ${coordinate ?? 'the graph'}${since === undefined ? '' : ` since ${since}`}.\n`,
    );
  }
}

/** A name with a typing error has no changes either. */
function assertExists(coordinate: string | undefined, supergraph: string | undefined): void {
  if (coordinate === undefined || supergraph === undefined) {
    return;
  }
  const schema = buildSchema(supergraph, { assumeValid: true, assumeValidSDL: true });
  if (!schemaElements(schema).has(coordinate)) {
    throw new CommandError(`The graph has no ${coordinate}, and no commit changed one.`);
  }
}

function describeEntry({ commit, day, author, subject, changes, fault }: HistoryEntry): string {
  const lines = changes.map((change) => {
    const subgraphs = change.subgraphs.length === 0 ? '' : ` (${change.subgraphs.join(', ')})`;
    return `  ${change.level} ${change.kind}: ${describeChange(change)}${subgraphs}`;
  });
  return [
    styleText('bold', `${day} ${commit.slice(0, 8)} ${author}: ${subject}`),
    ...lines,
    ...(fault === undefined ? [] : [`  cannot be compared: ${fault}`]),
    '',
  ].join('\n');
}
