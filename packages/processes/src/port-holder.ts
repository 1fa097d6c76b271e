import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import process from 'node:process';

import { findProcess } from './process-table.ts';
import type { ProcessEntry } from './process-table.ts';

/** The process that listens on a TCP port of this machine. Known only on Linux, for processes of the same user. */
export function findPortHolder(port: number): ProcessEntry | undefined {
  if (process.platform !== 'linux') {
    return undefined;
  }
  const sockets = new Set(listeningSockets(port));
  const pid = readdirSync('/proc').find((name) => /^\d+$/u.test(name) && holdsOneOf(sockets, name));
  return pid === undefined ? undefined : findProcess(Number(pid));
}

/** The sockets as links in `/proc/<pid>/fd` name them. */
function listeningSockets(port: number): string[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => {
    // proc_net_tcp: sl, local_address:port in hexadecimal, remote, state (0A is LISTEN), …; the tenth column is the
    // inode.
    const rows = linesOf(table).map((line) => line.trim().split(/\s+/u));
    return rows
      .filter(
        ([, address, , state]) =>
          state === '0A' && Number.parseInt(address?.split(':')[1] ?? '', 16) === port,
      )
      .map((columns) => `socket:[${columns[9]}]`);
  });
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(1);
  } catch {
    // A machine without IPv6 has no tcp6.
    return [];
  }
}

function holdsOneOf(sockets: ReadonlySet<string>, pid: string): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((descriptor) => sockets.has(targetOf(`${folder}/${descriptor}`)));
  } catch {
    // Another user's process, or one that has just ended.
    return false;
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}
