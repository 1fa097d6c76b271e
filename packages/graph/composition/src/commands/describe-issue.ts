import { readFileSync } from 'node:fs';

import { errorCodeDef } from '@apollo/federation-internals';
import { printableLines } from '@meridian/settings/values';

import type { CompositionIssue, SchemaLocation } from '../composition.ts';
import type { SchemaFiles } from '../supergraph-config.ts';

/** The most places of one issue that are shown; the rest are counted. */
const shownLocations = 8;

/**
 * Describes an issue for the terminal: the fault, its file and line, and the rule that it breaks.
 *
 * @param sdls the schemas that are at hand; others are read from their files
 */
export function describeIssue(
  { code, message, locations }: CompositionIssue,
  schemaFiles: SchemaFiles,
  sdls: ReadonlyMap<string, string> = new Map(),
): string {
  const lines = [`${code}: ${message}`];
  lines.push(
    ...locations
      .slice(0, shownLocations)
      .flatMap((location) => describeLocation(location, schemaFiles, sdls)),
  );
  if (locations.length > shownLocations) {
    lines.push(`  and in ${locations.length - shownLocations} more places`);
  }

  const rule = errorCodeDef(code)?.description;
  if (rule !== undefined) {
    lines.push(`  because of the rule: ${rule}`);
  }
  return printableLines(lines.join('\n'));
}

function describeLocation(
  { subgraph, start }: SchemaLocation,
  schemaFiles: SchemaFiles,
  sdls: ReadonlyMap<string, string>,
): string[] {
  const file = schemaFiles.get(subgraph);
  const place = `${start.line}:${start.column}`;
  const sdl = sdls.get(subgraph) ?? (file && readFileSync(file, 'utf8'));
  return [
    file === undefined ? `  at subgraph "${subgraph}", ${place}` : `  at ${file}:${place}`,
    ...(sdl === undefined ? [] : [`     ${start.line} | ${sdl.split('\n')[start.line - 1]?.trim()}`]),
  ];
}
