import type { ManifestFile } from '@meridian/manifest';
import { ManifestError, findManifests, readManifest } from '@meridian/manifest';

/** Manifest files by their paths. */
export type ManifestFiles = ReadonlyMap<string, ManifestFile>;

/** A manifest file that cannot be read. */
export interface BadFile {
  readonly file: string;
  readonly reason: string;
  /** True when the operations that it listed before remain. */
  readonly isKept: boolean;
}

export interface ReadFiles {
  readonly files: ManifestFiles;
  readonly badFiles: readonly BadFile[];
}

/**
 * Reads the manifest files at the paths. A bad file keeps the operations that it listed before; without any,
 * it is left out.
 *
 * @param before the files of the last reading. Default: none
 * @throws {ManifestError} when no file is usable
 */
export function readFiles(paths: readonly string[], before?: ManifestFiles): ReadFiles {
  const files = new Map<string, ManifestFile>();
  const errors: ManifestError[] = [];
  for (const path of findManifests(paths)) {
    try {
      files.set(path, readManifest(path));
    } catch (error) {
      if (!(error instanceof ManifestError)) {
        throw error;
      }
      errors.push(error);
    }
  }
  if (files.size === 0 && errors[0] !== undefined) {
    throw errors[0];
  }
  const badFiles = errors.map(({ file, fault }) => {
    const fileBefore = before?.get(file);
    if (fileBefore !== undefined) {
      files.set(file, fileBefore);
    }
    return { file, reason: fault, isKept: fileBefore !== undefined };
  });
  return { files, badFiles };
}
