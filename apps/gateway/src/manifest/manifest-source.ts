import { readFileSync } from 'node:fs';

import type { Logger } from '@meridian/telemetry';

import type { InTurn } from '../in-turn.ts';
import type { ReloadOutcome } from '../telemetry/reload-metrics.ts';
import { watchFiles } from '../watch-files.ts';
import type { Manifest } from './manifest.ts';
import { ManifestError, parseManifests } from './manifest.ts';

export interface ManifestSourceOptions {
  readonly paths: readonly string[];
  /** Whether a file that changes is read again. */
  readonly isReloaded: boolean;
  /** Called after each attempt to take up a changed file. */
  readonly onReload: (outcome: ReloadOutcome) => void;
  readonly logger: Logger;
  /** What else changes waits for its turn as well. */
  readonly inTurn: InTurn;
  /** How often the files are looked at, in milliseconds. */
  readonly checkEveryMs: number;
}

/** The manifest as it is now. */
export interface ManifestSource {
  readonly current: () => Manifest;
  /** Has the listener make everything ready for a new manifest, before that takes the place of the one of before. */
  readonly beforeChange: (listener: (next: Manifest) => Promise<void>) => void;
  readonly close: () => Promise<void>;
}

/**
 * Reads the manifest files, and again whenever one of them changes. A bad new file is refused, with a line in the log, and
 * the manifest of before stays.
 *
 * @throws {ManifestError} where the files cannot be read at first
 */
export function openManifest({
  paths,
  isReloaded,
  inTurn,
  onReload,
  logger,
  checkEveryMs,
}: ManifestSourceOptions): ManifestSource {
  const listeners: ((next: Manifest) => Promise<void>)[] = [];
  let manifest = readManifest(paths);
  const reload = async (): Promise<void> => {
    try {
      const next = readManifest(paths);
      await Promise.all(listeners.map((listener) => listener(next)));
      manifest = next;
    } catch (error) {
      logger.error({ err: error }, 'the changed manifest is refused; the one of before stays');
      onReload('error');
      return;
    }
    onReload('success');
    logger.info({ operations: manifest.operations.length }, 'the manifest was read again');
  };
  const stopWatching = isReloaded ? watchFiles(paths, checkEveryMs, () => void inTurn(reload)) : undefined;
  return {
    current: () => manifest,
    beforeChange: (listener) => void listeners.push(listener),
    async close() {
      stopWatching?.();
      await inTurn(() => Promise.resolve());
    },
  };
}

function readManifest(paths: readonly string[]): Manifest {
  return parseManifests(paths.map((path) => ({ name: path, text: readText(path) })));
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ManifestError(path, `the file is not there or not readable (${code})`);
  }
}
