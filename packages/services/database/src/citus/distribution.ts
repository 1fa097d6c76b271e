import { readFile } from 'node:fs/promises';

import { MigrationError } from '../migration/migration-error.ts';

/** The parts of a database that are spread over the workers of a Citus cluster. */
export interface Distribution {
  /** Small tables that every worker has a copy of. */
  readonly referenceTables: readonly string[];
  /** Table → the column of the tenant. A table follows those that it refers to. */
  readonly tables: Readonly<Record<string, string>>;
  /** Function → the argument of the tenant. A call runs on the worker that has the tenant. */
  readonly functions: Readonly<Record<string, string>>;
}

/**
 * Reads an app's `distribution.json`.
 *
 * @returns undefined for an app that has none: its tables are of no tenant, and stay on one server
 * @throws {MigrationError} for a file with other content
 */
export async function readDistribution(file: URL | string): Promise<Distribution | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
  const { referenceTables, tables, functions, ...unknown } = parseObject(file, text);
  const isComplete = isNames(referenceTables) && isNamesByName(tables) && isNamesByName(functions);
  if (!isComplete || Object.keys(unknown).length > 0) {
    throw invalid(file, undefined);
  }
  return { referenceTables, tables, functions };
}

function parseObject(file: URL | string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) {
      return { ...value };
    }
  } catch (error) {
    throw invalid(file, error);
  }
  throw invalid(file, undefined);
}

function invalid(file: URL | string, cause: unknown): MigrationError {
  return new MigrationError(
    `Cannot read ${String(file)}: it takes "referenceTables" (a list), "tables" (table → tenant column) and ` +
      '"functions" (function → tenant argument)',
    { cause },
  );
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

function isNamesByName(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null && isNames(Object.values(value));
}
