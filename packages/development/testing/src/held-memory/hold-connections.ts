import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { TLSSocket, connect as connectSecurely } from 'node:tls';

import type { ConnectionKind } from './connection-kinds.ts';
import type { MemoryProbe, ProbeReading } from './memory-probe.ts';

/** The cost of one connection for a process. */
export interface HeldMemory {
  readonly heldBytes: number;
  readonly cpuMs: number;
  /** The longest time in which the event loop of the process was blocked. */
  readonly stallMs: number;
  /** The share of the connections that the process keeps. */
  readonly openShare: number;
}

export interface HoldOptions {
  readonly port: number;
  /** Default: false. */
  readonly isSecure?: boolean;
  readonly probe: MemoryProbe;
  readonly connections: number;
}

/** Connections that are kept, and may be measured more than once: a process frees some memory only later. */
export type HeldConnections = Awaited<ReturnType<typeof holdConnections>>;

/** Opens connections of a kind and keeps them. */
export async function holdConnections(
  kind: ConnectionKind,
  { port, isSecure = false, probe, connections }: HoldOptions,
) {
  const sockets: Socket[] = [];
  const before = await readSettled(probe);
  // One after another: a stall is the work for one.
  while (sockets.length < connections) {
    const place = { port, host: '127.0.0.1', noDelay: true };
    const socket = isSecure
      ? connectSecurely({
          ...place,
          rejectUnauthorized: false,
          ALPNProtocols: [kind.protocol ?? 'http/1.1'],
        })
      : connect(place);
    sockets.push(socket);
    await play(kind, socket);
  }
  const worked = await readSettled(probe);
  return {
    async measure(): Promise<HeldMemory> {
      const { heldBytes } = await readSettled(probe);
      return {
        heldBytes: (heldBytes - before.heldBytes) / connections,
        cpuMs: worked.cpuMs / connections,
        stallMs: worked.stallMs,
        openShare:
          sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length / connections,
      };
    },
    async close(): Promise<void> {
      await Promise.all(
        sockets.map(async (socket) => {
          if (!socket.destroyed) {
            const closed = once(socket, 'close');
            socket.destroy();
            await closed;
          }
        }),
      );
    },
  };
}

/** A process that used less CPU time between readings, and did so twice, has nothing left to read, or to free. */
const idleMs = 10;

/** Reads until the process rests. The work is the sum of all readings. */
async function readSettled(probe: MemoryProbe): Promise<ProbeReading> {
  let [cpuMs, stallMs, idle] = [0, 0, 0];
  for (;;) {
    const reading = await probe.read();
    cpuMs += reading.cpuMs;
    stallMs = Math.max(stallMs, reading.stallMs);
    idle = reading.cpuMs < idleMs ? idle + 1 : 0;
    if (idle === 2) {
      return { ...reading, cpuMs, stallMs };
    }
  }
}

/** Sends the steps. A connection that the server has ended is done. */
async function play({ steps, state, protocol }: ConnectionKind, socket: Socket): Promise<void> {
  let received = '';
  socket.setEncoding('latin1').on('error', () => {});
  if (state !== 'unread') {
    socket.on('data', (chunk: string) => (received += chunk));
  }
  const ended = Promise.race([once(socket, 'end'), once(socket, 'close')]).catch(() => {});
  await Promise.race([once(socket, socket instanceof TLSSocket ? 'secureConnect' : 'connect'), ended]);
  let awaited = 0;
  for (const { bytes, responses } of steps) {
    awaited += responses;
    await Promise.race([new Promise((resolve) => void socket.write(bytes, 'latin1', resolve)), ended]);
    while (responsesIn(received, protocol) < awaited && !socket.readableEnded && !socket.destroyed) {
      await Promise.race([once(socket, 'data'), ended]);
    }
  }
}

function responsesIn(received: string, protocol: ConnectionKind['protocol']): number {
  if (protocol === undefined) {
    return received.split('HTTP/1.1 ').length - 1;
  }
  // A response, or the end of a stream without one: RFC 9113 §6.2 and §6.4.
  const streams = new Set<string>();
  for (let at = 0; at + 9 <= received.length;) {
    const byte = (index: number): number => received.charCodeAt(at + index);
    if (byte(3) === 1 || byte(3) === 3) {
      streams.add(received.slice(at + 5, at + 9));
    }
    at += 9 + byte(0) * 65_536 + byte(1) * 256 + byte(2);
  }
  return streams.size;
}
