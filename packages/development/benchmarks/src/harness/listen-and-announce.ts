import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import process from 'node:process';

/** Listens on a free port of 127.0.0.1 and prints the address as a line of JSON, as the log of a service does. */
export function listenAndAnnounce(listener: RequestListener): void {
  const server = createServer(listener);
  server.keepAliveTimeout = 65_000;
  // Node writes a CPU profile when a process exits, not when a signal ends it.
  process.once('SIGTERM', () => process.exit(0));
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${JSON.stringify({ address: server.address() })}\n`);
  });
}
