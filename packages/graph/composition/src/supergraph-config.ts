import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

import { CommandError } from '@meridian/settings/command-line';
import { isRecord } from '@meridian/settings/values';
import { parse } from 'yaml';

/** Subgraph → its schema file, relative to the working directory, for those whose schema is a file. */
export type SchemaFiles = ReadonlyMap<string, string>;

/** The part of a supergraph.yaml that we need; Rover reads the rest. */
export interface SupergraphConfig {
  /** The exact version of Federation to compose at, for example `2.14.4`. */
  readonly federationVersion: string;
  readonly subgraphNames: readonly string[];
  readonly schemaFiles: SchemaFiles;
  /** Subgraph → its URL, for those that declare one. */
  readonly routingUrls: ReadonlyMap<string, string>;
}

/**
 * Reads a supergraph.yaml.
 *
 * @throws {CommandError} for a fault of the file. Rover does not report one: when the file is missing or has an entry
 * that it does not understand, it composes no subgraphs
 */
export function readSupergraphConfig(file: string): SupergraphConfig {
  return parseSupergraphConfig(file, () => readFileSync(file, 'utf8'));
}

/**
 * Parses a supergraph.yaml that is not in the working tree.
 *
 * @throws {CommandError} as `readSupergraphConfig` does
 */
export function parseSupergraphConfig(file: string, read: () => string): SupergraphConfig {
  const { version, entries } = readEntries(file, read);
  const schemaFiles = new Map<string, string>();
  const routingUrls = new Map<string, string>();
  for (const [name, subgraph] of entries) {
    const { schema, routing_url: url } = isRecord(subgraph) ? subgraph : {};
    if (typeof url === 'string') {
      routingUrls.set(name, url);
    }
    if (!isRecord(schema)) {
      throw new CommandError(`Cannot read ${file}: subgraph "${name}" has no schema`);
    }
    if (typeof schema['file'] === 'string') {
      schemaFiles.set(name, relative('.', resolve(dirname(file), schema['file'])));
    }
  }
  return {
    federationVersion: exactVersion(version, file),
    subgraphNames: entries.map(([name]) => name),
    schemaFiles,
    routingUrls,
  };
}

/**
 * The version of Federation and the subgraphs, as a supergraph.yaml has them.
 *
 * @throws {CommandError} for a file that cannot be read or has no subgraphs
 */
export function readEntries(
  file: string,
  read: () => string,
): { readonly version: unknown; readonly entries: readonly (readonly [name: string, entry: unknown])[] } {
  let config: unknown;
  try {
    config = parse(read());
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error);
    throw new CommandError(`Cannot read ${file}: ${reason}`, { cause: error });
  }
  const { federation_version: version, subgraphs } = isRecord(config) ? config : {};
  const entries = isRecord(subgraphs) ? Object.entries(subgraphs) : [];
  if (entries.length === 0) {
    throw new CommandError(`Cannot read ${file}: it has no subgraphs`);
  }
  return { version, entries };
}

/** A range could compose differently from one day to the next. */
function exactVersion(version: unknown, file: string): string {
  const exact = /^=(\d+\.\d+\.\d+)$/.exec(typeof version === 'string' ? version : '')?.[1];
  if (exact === undefined) {
    throw new CommandError(
      `Cannot read ${file}: federation_version is ${JSON.stringify(version ?? null)}, and takes an exact version such as "=2.14.4"`,
    );
  }
  return exact;
}
