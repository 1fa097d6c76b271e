import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

import { findProcess, isRunning } from '@meridian/processes';
import type { ProcessIdentity } from '@meridian/processes';
import { isRecord } from '@meridian/settings/values';

/** A process that the stack started. */
interface RecordedProcess extends ProcessIdentity {
  readonly name: string;
}

/** Records the running processes on disk, for the start after a killed stack. */
export interface ProcessRecord {
  add(name: string, pid: number): void;
  remove(pid: number): void;
}

/** Creates an empty record. The file exists only while there is a process in it. */
export function createProcessRecord(path: string): ProcessRecord {
  const running = new Map<number, RecordedProcess>();
  // Synchronous: asynchronous writes would need a queue, and the file must be complete at any crash.
  const write = (): void => {
    if (running.size === 0) {
      rmSync(path, { force: true });
      return;
    }
    writeFileSync(`${path}.new`, `${JSON.stringify([...running.values()], null, 2)}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  };
  return {
    add(name, pid) {
      running.set(pid, { name, pid, startedAt: findProcess(pid)?.startedAt ?? '' });
      write();
    },
    remove(pid) {
      running.delete(pid);
      write();
    },
  };
}

/** The time in which programs notice the end of their stack and stop; later they are killed. */
const timeoutMs = 5000;

/** Ends the processes of an earlier record that are still running, and returns their names. */
export async function stopRecorded(path: string): Promise<string[]> {
  const left = readRecord(path).filter(isRunning);
  left.forEach(({ pid }) => sendSignal(pid, 'SIGTERM'));
  const deadline = Date.now() + timeoutMs;
  while (left.some(isRunning)) {
    if (Date.now() > deadline) {
      left.filter(isRunning).forEach(({ pid }) => sendSignal(pid, 'SIGKILL'));
    }
    await delay(20);
  }
  rmSync(path, { force: true });
  return left.map(({ name }) => name);
}

function readRecord(path: string): RecordedProcess[] {
  try {
    const record: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return Array.isArray(record) ? record.filter(isRecordedProcess) : [];
  } catch {
    // Missing or damaged: the programs still notice the end of their stack by themselves.
    return [];
  }
}

function isRecordedProcess(value: unknown): value is RecordedProcess {
  return (
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    typeof value['pid'] === 'number' &&
    typeof value['startedAt'] === 'string'
  );
}

/** A process that has just ended is not an error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
