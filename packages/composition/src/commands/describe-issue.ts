import { readFileSync } from 'node:fs';

import { errorCodeDef } from '@apollo/federation-internals';

import type { CompositionIssue, SchemaLocation } from '../composition.ts';
import type { SchemaFiles } from '../supergraph-config.ts';

/** The most places of one issue that are shown; the rest are counted. */
const shownLocations = 8;

/** Describes an issue for the terminal: the fault, its file and line, and the rule that it breaks. */
export function describeIssue(
  { code, message, locations }: CompositionIssue,
  schemaFiles: SchemaFiles,
): string {
  const lines = [`${code}: ${message}`];
  lines.push(
    ...locations.slice(0, shownLocations).flatMap((location) => describeLocation(location, schemaFiles)),
  );
  if (locations.length > shownLocations) {
    lines.push(`  and in ${locations.length - shownLocations} more places`);
  }

  const rule = errorCodeDef(code)?.description;
  if (rule !== undefined) {
    lines.push(`  because of the rule: ${rule}`);
  }
  return lines.join('\n');
}

function describeLocation({ subgraph, start }: SchemaLocation, schemaFiles: SchemaFiles): string[] {
  const file = schemaFiles.get(subgraph);
  if (file === undefined) {
    return [`  at subgraph "${subgraph}", ${start.line}:${start.column}`];
  }
  const source = readFileSync(file, 'utf8').split('\n')[start.line - 1];
  return [`  at ${file}:${start.line}:${start.column}`, `     ${start.line} | ${source?.trim()}`];
}
