import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { PlanStore } from '@meridian/executor';
import type { Logger } from '@meridian/telemetry';

export interface PlanDirectoryOptions {
  readonly path: string;
  /** On disk. */
  readonly maxBytes: number;
  readonly logger: Pick<Logger, 'warn'>;
  /** The longest time for a look-up, in milliseconds. Default: 500. */
  readonly timeoutMs?: number;
}

/** A plan, or one that is being written. Other files in the directory are not touched. */
const fileName = /^[0-9a-f]{64}(?:\.[0-9a-f-]{36})?$/;
/** A larger file is not read: plans have at most a million characters. */
const maxFileBytes = 4_000_100;
/** File systems take whole blocks. */
const blockBytes = 4096;
/** The most writes at once; further plans are not kept. */
const maxWrites = 64;
/** The part of the bytes that may be written before the directory is looked through again. */
const writtenPart = 1 / 16;
/** A file's time of modification is the time of its last use, to a day. */
const usedEveryMs = 86_400_000;

/**
 * Opens a store of plans in a directory. Each plan is a file, which is written beside and then renamed, so that other
 * processes may share the directory. The oldest files are removed when they take too much, for each process that writes
 * at most a sixteenth late. A directory that hangs costs one timeout until it responds again.
 */
export async function openPlanDirectory({
  path,
  maxBytes,
  logger,
  timeoutMs = 500,
}: PlanDirectoryOptions): Promise<PlanStore> {
  let hasFailed = false;
  const fails = (error: unknown): void => {
    if (!hasFailed) {
      hasFailed = true;
      logger.warn({ err: error, path }, 'the plan cache cannot be used; operations are planned without it');
    }
  };
  let isLate = false;
  /** @throws {Error} at once while an earlier call has not returned, else after the timeout */
  const inTime = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    if (isLate) {
      throw new Error('An earlier call has not returned');
    }
    const result = call();
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      isLate = true;
      const returned = (): void => void (isLate = false);
      result.then(returned, returned);
      timeout.reject(new Error(`No response within ${timeoutMs} ms`));
    }, timeoutMs);
    try {
      return await Promise.race([result, timeout.promise]);
    } finally {
      clearTimeout(timer);
    }
  };

  let writes = 0;
  // The first write looks through the directory: earlier processes have written too.
  let writtenBytes = Number.POSITIVE_INFINITY;
  const write = async (key: string, text: string): Promise<void> => {
    const file = join(path, key);
    const written = `${file}.${randomUUID()}`;
    try {
      await writeFile(written, text, { mode: 0o600 });
      await rename(written, file);
    } catch (error) {
      await rm(written, { force: true });
      throw error;
    }
    writtenBytes += bytesOnDisk(text.length);
    if (writtenBytes > maxBytes * writtenPart) {
      writtenBytes = 0;
      await removeOldest(path, maxBytes * (1 - writtenPart));
    }
  };

  await inTime(() => mkdir(path, { recursive: true, mode: 0o700 })).catch(fails);
  return {
    async find(key) {
      try {
        return await inTime(() => readPlan(join(path, key)));
      } catch (error) {
        fails(error);
        throw error;
      }
    },
    keep(key, text) {
      if (isLate || writes === maxWrites) {
        return;
      }
      writes += 1;
      write(key, text)
        .catch(fails)
        .finally(() => (writes -= 1));
    },
  };
}

/** Undefined where there is none. */
async function readPlan(path: string): Promise<string | undefined> {
  const file = await open(path).catch(undefinedIfMissing);
  if (file === undefined) {
    return undefined;
  }
  try {
    const { size, mtimeMs } = await file.stat();
    if (size > maxFileBytes) {
      throw new Error(`${path} is too large`);
    }
    const now = new Date();
    if (now.getTime() - mtimeMs > usedEveryMs) {
      await file.utimes(now, now);
    }
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** Removes the files that were not used for the longest time, until the others fit. */
async function removeOldest(path: string, maxBytes: number): Promise<void> {
  const files: { readonly file: string; readonly bytes: number; readonly usedMs: number }[] = [];
  for (const name of await readdir(path)) {
    const file = join(path, name);
    const found = fileName.test(name) ? await stat(file).catch(undefinedIfMissing) : undefined;
    if (found !== undefined) {
      files.push({ file, bytes: bytesOnDisk(found.size), usedMs: found.mtimeMs });
    }
  }
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  for (const oldest of files.toSorted((one, other) => one.usedMs - other.usedMs)) {
    if (bytes <= maxBytes) {
      return;
    }
    bytes -= oldest.bytes;
    await rm(oldest.file, { force: true });
  }
}

function bytesOnDisk(size: number): number {
  return Math.ceil(size / blockBytes) * blockBytes;
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
    return undefined;
  }
  throw error;
}
