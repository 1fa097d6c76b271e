import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { claim, isRunning } from '@meridian/processes';
import type { ProcessIdentity } from '@meridian/processes';

import type { DataDirectory } from '../data-directory.ts';
import { sendSignal, stopRecorded } from '../run/process-record.ts';
import { StackError } from '../stack-error.ts';

export interface TakeDataDirectoryOptions {
  /** True to stop a stack that is running there, and to remove everything. */
  readonly startOver: boolean;
  /** Called with a line about each change to an earlier stack. */
  readonly say: (line: string) => void;
}

/**
 * Claims the data directory for this stack, of which there is one at a time. Ends programs that an earlier stack left
 * running.
 *
 * @throws {StackError} while another stack uses it, and if the directory cannot be used
 */
export async function takeDataDirectory(
  data: DataDirectory,
  { startOver, say }: TakeDataDirectoryOptions,
): Promise<void> {
  try {
    await mkdir(data.root, { recursive: true });
    let holder = await claim(data.claim);
    if (holder !== undefined && startOver) {
      say(`Stopping the stack that runs as process ${holder.pid}`);
      await stopStack(holder);
      holder = await claim(data.claim);
    }
    if (holder !== undefined) {
      throw new StackError(
        `The stack is running already, as process ${holder.pid}. Stop it with Ctrl-C where it was started, or with: kill ${holder.pid}`,
      );
    }
    const left = await stopRecorded(data.processes);
    if (left.length > 0) {
      say(`Stopped programs that an earlier start had left running: ${left.join(', ')}`);
    }
    if (startOver) {
      await removeContent(data);
      say(`Removed everything in ${data.root}`);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      throw new StackError(
        `${data.root} cannot be used (${error.message}). Remove it or make it yours, then start again`,
        { cause: error },
      );
    }
    throw error;
  }
}

/** A stack stops its services in order, which may take their whole grace. */
const timeoutMs = 30_000;

async function stopStack(stack: ProcessIdentity): Promise<void> {
  sendSignal(stack.pid, 'SIGTERM');
  const deadline = Date.now() + timeoutMs;
  while (isRunning(stack)) {
    if (Date.now() > deadline) {
      sendSignal(stack.pid, 'SIGKILL');
    }
    await delay(50);
  }
}

/** Keeps the claim, so that no other stack starts meanwhile. */
async function removeContent({ root, claim }: DataDirectory): Promise<void> {
  const names = (await readdir(root)).filter((name) => name !== basename(claim));
  await Promise.all(names.map((name) => rm(join(root, name), { recursive: true, force: true })));
}

/** Renames the logs of the last start to `<name>.previous.log`, replacing older ones. */
export async function rotateLogs(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const logs = (await readdir(folder)).filter((name) => /^[^.]+\.log$/u.test(name));
  await Promise.all(
    logs.map((name) => rename(join(folder, name), join(folder, name.replace('.log', '.previous.log')))),
  );
}
