import type { Logger } from '@meridian/telemetry';

import type { SerialQueue } from '../concurrency/serial-queue.ts';
import { createSerialQueue } from '../concurrency/serial-queue.ts';
import type { FileFingerprints, FilePaths } from './watch-files.ts';
import { watchFiles } from './watch-files.ts';

/** A part that is read from files, and read again when they change. */
export type ReloadedPart = 'configuration' | 'manifest' | 'supergraph';

/** `error`: it was rejected, and the previous one still runs; or some of its files were. */
export type ReloadOutcome = 'success' | 'error';

/** The rules for reloads that all parts have in common. */
export interface ReloadRules {
  /** Called after each attempt to load a changed file. */
  readonly onReload: (part: ReloadedPart, outcome: ReloadOutcome) => void;
  readonly logger: Logger;
  /** The interval between checks of files for changes, in milliseconds. */
  readonly checkEveryMs: number;
}

export interface ReloadableOptions<Value> extends ReloadRules {
  readonly part: ReloadedPart;
  readonly paths: FilePaths;
  /** The fingerprint from before the files were first read, so that no change is missed. */
  readonly seen: FileFingerprints;
  /** Reads the changed files; rejects where they are invalid. */
  readonly read: () => Value | Promise<Value>;
  /** Checks the new value and warms it up, then swaps it. Where it rejects, nothing has changed. */
  readonly apply: (next: Value) => Promise<Reloaded | void>;
  /** Serialises this with other reloads. Default: a queue of its own. */
  readonly queue?: SerialQueue;
}

/** The result of a reload that changed something. Default: `success`, and nothing to log. */
export interface Reloaded {
  readonly outcome: ReloadOutcome;
  readonly logged: object;
}

export interface Reloadable {
  /** Reloads it now, beside the watch of its files. */
  readonly reload: () => void;
  /** Begins no reload any more, at once; resolves when none is under way. */
  readonly close: () => Promise<void>;
}

/**
 * Reads a part again whenever one of its files changes, and replaces the part in force. An invalid one is rejected,
 * with a log line, and the previous one stays.
 */
export function createReloadable<Value>(options: ReloadableOptions<Value>): Reloadable {
  const { part, paths, seen, read, apply, onReload, logger, checkEveryMs } = options;
  const { queue = createSerialQueue() } = options;
  let isClosed = false;
  const attempt = async (): Promise<void> => {
    if (isClosed) {
      return;
    }
    try {
      const { outcome = 'success', logged = {} } = (await apply(await read())) ?? {};
      onReload(part, outcome);
      logger.info(logged, `${part} reloaded`);
    } catch (error) {
      logger.error({ err: error }, `invalid ${part} rejected; keeping the previous one`);
      onReload(part, 'error');
    }
  };
  const reload = (): void => void queue(attempt);
  const stopWatching = watchFiles(paths, checkEveryMs, reload, seen);
  return {
    reload,
    async close() {
      stopWatching();
      isClosed = true;
      await queue(() => Promise.resolve());
    },
  };
}
