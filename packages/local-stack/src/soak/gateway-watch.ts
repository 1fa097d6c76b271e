import { readFile } from 'node:fs/promises';

/** What the gateway's process holds at a moment. */
export interface Sample {
  readonly atSeconds: number;
  readonly heapMiB: number;
  readonly rssMiB: number;
  readonly sockets: number;
  readonly openFiles: number;
}

/** Reads a sample from the metrics on the gateway's admin listener. */
export async function sampleGateway(adminUrl: string, atSeconds: number): Promise<Sample> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const value = (name: string, label = ''): number =>
    Number(new RegExp(`^${name}\\{[^}]*${label}[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  return {
    atSeconds,
    heapMiB: value('nodejs_heap_size_used_bytes') / 2 ** 20,
    rssMiB: value('process_resident_memory_bytes') / 2 ** 20,
    sockets: value('nodejs_active_resources', 'type="TCPSocketWrap"'),
    openFiles: value('process_open_fds'),
  };
}

/** How often Node has warned in a log that listeners pile up on one emitter. */
export async function listenerWarnings(logPath: string): Promise<number> {
  const log = await readFile(logPath, 'utf8');
  return log.split('MaxListenersExceededWarning').length - 1;
}
