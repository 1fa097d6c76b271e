import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';

import { loadSupergraph } from '@meridian/executor';
import { parseManifest } from '@meridian/manifest';
import type { Logger } from '@meridian/telemetry';

import type { RemoteFile } from '../config/remote-files.ts';
import type { FetchText } from './fetch-text.ts';
import { RemoteFileError } from './remote-file-error.ts';

export interface MirrorOptions {
  /** Fetches a URL of any supported scheme. */
  readonly fetchText: FetchText;
  /** The pause between two looks at a file, in milliseconds. */
  readonly everyMs: number;
  readonly logger: Pick<Logger, 'error' | 'info' | 'warn'>;
}

/** Local copies that follow remote files. */
export type Mirror = Awaited<ReturnType<typeof mirrorFiles>>;

/**
 * Copies remote files to this machine, and again whenever they change: who reads the copies needs to know nothing of
 * where they come from. Only what can be used is copied, so that a copy is the last good one, from which a process can
 * start while the source is out of reach.
 *
 * @throws {RemoteFileError} for a file that cannot be fetched and has no copy
 */
export async function mirrorFiles(files: readonly RemoteFile[], options: MirrorOptions) {
  const mirrors = files.map((file) => new FileMirror(file, options));
  const close = (): void => mirrors.forEach((mirror) => mirror.close());
  try {
    await Promise.all(mirrors.map((mirror) => mirror.open()));
  } catch (error) {
    close();
    throw error;
  }
  return { close };
}

class FileMirror {
  readonly #file: RemoteFile;
  readonly #options: MirrorOptions;
  #version: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** The fault of the last look: a fault that lasts is logged once. */
  #lastFault: string | undefined;

  constructor(file: RemoteFile, options: MirrorOptions) {
    this.#file = file;
    this.#options = options;
  }

  async open(): Promise<void> {
    try {
      await this.#update();
    } catch (error) {
      if (this.#copy() === undefined) {
        throw error;
      }
      this.#options.logger.warn({ err: error }, 'remote file out of reach; starting with its last good copy');
    }
    this.#schedule();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (!this.#isClosed) {
      this.#timer = setTimeout(() => void this.#look(), this.#options.everyMs).unref();
    }
  }

  async #look(): Promise<void> {
    const { logger } = this.#options;
    try {
      await this.#update();
      if (this.#lastFault !== undefined) {
        logger.info({ url: this.#file.url }, 'remote file fetched again');
      }
      this.#lastFault = undefined;
    } catch (error) {
      const fault = String(error);
      if (fault !== this.#lastFault) {
        logger.error({ err: error }, 'remote file rejected; keeping the last good one');
      }
      this.#lastFault = fault;
    }
    this.#schedule();
  }

  async #update(): Promise<void> {
    const { url, path, holds } = this.#file;
    let fetched;
    try {
      fetched = await this.#options.fetchText(new URL(url), this.#version);
      if (fetched === undefined) {
        return;
      }
      checkText(fetched.text, holds, url);
      if (fetched.text !== this.#copy() && !this.#isClosed) {
        writeWhole(path, fetched.text);
      }
    } catch (error) {
      throw new RemoteFileError(url, error instanceof Error ? error.message : String(error), {
        cause: error,
      });
    }
    this.#version = fetched.version;
  }

  #copy(): string | undefined {
    try {
      return readFileSync(this.#file.path, 'utf8');
    } catch {
      return undefined;
    }
  }
}

/** @throws {SupergraphError} or {ManifestError} for a text that the gateway could not take up */
function checkText(text: string, holds: RemoteFile['holds'], name: string): void {
  if (holds === 'supergraph') {
    loadSupergraph(text);
  } else {
    parseManifest(name, text);
  }
}

/** A reader sees the previous text or the new one, never a part; so does a process that starts after a crash. */
function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, path);
}
