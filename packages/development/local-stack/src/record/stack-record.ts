import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';

import { findProcess, isRunning } from '@meridian/processes';

/**
 * The record of a running stack, for commands beside it. It holds no secret: those come from the stack's own.
 */
export interface StackRecord {
  /** The URL of the gateway's graph endpoint. */
  readonly graphUrl: string;
  /** The URL of the accounts service. */
  readonly accountsUrl: string;
  /** The URL of the gateway's admin listener, without a path. */
  readonly gatewayAdminUrl: string;
  /** The URL of the gateway's database with its role, without the password. */
  readonly gatewayDatabaseUrl: string;
  /** The server that its databases are on, as DATABASE_URL names it to `pnpm start`; see `serverUrlWithoutPassword`. */
  readonly serverUrl: string;
}

/** A record with its process; it is out of date once that has ended. */
interface WrittenRecord extends StackRecord {
  readonly pid: number;
  readonly startedAt: string;
}

/**
 * A server's URL without its password, since a record holds no secret. Returns a text that is not a URL
 * unchanged.
 */
export function serverUrlWithoutPassword(text: string): string {
  const url = URL.parse(text);
  if (url === null) {
    return text;
  }
  url.password = '';
  url.searchParams.delete('password');
  return url.href;
}

/** Records the stack of this process. */
export function writeStackRecord(path: string, record: StackRecord): void {
  const { pid } = process;
  const written: WrittenRecord = { ...record, pid, startedAt: findProcess(pid)?.startedAt ?? '' };
  writeFileSync(path, `${JSON.stringify(written, null, 2)}\n`, { mode: 0o600 });
}

export function removeStackRecord(path: string): void {
  rmSync(path, { force: true });
}

/** Reads the record of the running stack; undefined if none is running. */
export function readStackRecord(path: string): StackRecord | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written above, as a whole and by the same user
    const record = JSON.parse(readFileSync(path, 'utf8')) as WrittenRecord;
    return isRunning(record) ? record : undefined;
  } catch {
    return undefined;
  }
}
