import type { Server } from 'node:http';
import process from 'node:process';

/** Listens on a free port of 127.0.0.1, and says where on a line, as the log of a service does. */
export function listenAndAnnounce(server: Server): void {
  // Node writes a profile when a process exits, not when a signal ends it.
  process.once('SIGTERM', () => process.exit(0));
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`${JSON.stringify({ address: server.address() })}\n`);
  });
}
