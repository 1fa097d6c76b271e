import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

import { heapAfterCollection } from './heap-after-collection.ts';

/** The resources of the gateway's process at a moment. */
export interface Held {
  /** When the process was started, in seconds since 1970: another one was started later. */
  readonly processStart: number;
  /** The heap after a collection. */
  readonly heapMiB: number;
  readonly rssMiB: number;
  readonly sockets: number;
  readonly openFiles: number;
}

/** The endpoints that report a gateway's resources. */
export interface WatchedGateway {
  readonly adminUrl: string;
  readonly inspectorPort: number;
}

/** Reads the gateway's resources; undefined while it is away. */
export async function heldBy({ adminUrl, inspectorPort }: WatchedGateway): Promise<Held | undefined> {
  try {
    const heapBytes = await heapAfterCollection(inspectorPort);
    const text = await (await fetch(`${adminUrl}/metrics`)).text();
    const value = (name: string, label = ''): number =>
      Number(new RegExp(`^${name}\\{[^}]*${label}[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
    return {
      processStart: value('process_start_time_seconds'),
      heapMiB: heapBytes / 2 ** 20,
      rssMiB: value('process_resident_memory_bytes') / 2 ** 20,
      sockets: value('nodejs_active_resources', 'type="TCPSocketWrap"'),
      openFiles: value('process_open_fds'),
    };
  } catch {
    return undefined;
  }
}

/** The number of Node's warnings in a log about listeners that pile up on one emitter. */
export async function listenerWarnings(logPath: string): Promise<number> {
  let warnings = 0;
  for await (const line of createInterface({ input: createReadStream(logPath) })) {
    warnings += line.includes('MaxListenersExceededWarning') ? 1 : 0;
  }
  return warnings;
}
