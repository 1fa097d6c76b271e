import { readFileSync } from 'node:fs';

import type { ListedOperation } from './listed-operation.ts';
import { ManifestError } from './manifest-error.ts';
import { parseManifest } from './parse-manifest.ts';

/** A manifest file and what it lists. */
export interface ManifestFile {
  readonly text: string;
  readonly operations: readonly ListedOperation[];
}

/**
 * Reads a manifest file.
 *
 * @throws {ManifestError}
 */
export function readManifest(path: string): ManifestFile {
  const text = readText(path);
  return { text, operations: parseManifest(path, text) };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ManifestError(
      path,
      code === 'EISDIR'
        ? 'the folder has no manifest in it (*.json)'
        : `the file is not there or not readable (${code})`,
    );
  }
}
