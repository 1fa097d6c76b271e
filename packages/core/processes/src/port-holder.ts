import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import process from 'node:process';

import { findProcess } from './process-table.ts';
import type { ProcessEntry } from './process-table.ts';

/** The process that listens on a TCP port of this machine. Known only on Linux, for processes of the same user. */
export function findPortHolder(port: number): ProcessEntry | undefined {
  if (process.platform !== 'linux') {
    return undefined;
  }
  const sockets = new Set(
    listeners().flatMap((listener) => (listener.port === port ? [listener.socket] : [])),
  );
  const pid = readdirSync('/proc').find(
    (name) => /^\d+$/u.test(name) && socketsOf(name).some((socket) => sockets.has(socket)),
  );
  return pid === undefined ? undefined : findProcess(Number(pid));
}

/** The TCP ports that a process listens on. Known only on Linux. */
export function portsOf(pid: number): number[] {
  const sockets = new Set(socketsOf(String(pid)));
  return listeners().flatMap(({ port, socket }) => (sockets.has(socket) ? [port] : []));
}

/** The sockets that listen, as links in `/proc/<pid>/fd` name them. */
function listeners(): { readonly port: number; readonly socket: string }[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => {
    // proc_net_tcp: sl, local_address:port in hexadecimal, remote, state (0A is LISTEN), …; the tenth column is the
    // inode.
    const rows = readOr('', () => readFileSync(table, 'utf8')).split('\n');
    return rows
      .map((row) => row.trim().split(/\s+/u))
      .filter(([, , , state]) => state === '0A')
      .map(([, address = '', , , , , , , , inode]) => ({
        port: Number.parseInt(address.split(':')[1] ?? '', 16),
        socket: `socket:[${inode}]`,
      }));
  });
}

function socketsOf(pid: string): string[] {
  const folder = `/proc/${pid}/fd`;
  return readOr([], () => readdirSync(folder)).map((descriptor) =>
    readOr('', () => readlinkSync(`${folder}/${descriptor}`)),
  );
}

/** Processes start and end while they are read, others are another user's, and a machine without IPv6 has no tcp6. */
function readOr<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
