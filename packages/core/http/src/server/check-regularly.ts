import type { Server } from 'node:http';

/** The interval between checks, in milliseconds. */
export const checkEveryMs = 1000;

/**
 * Calls a check of connections' times each second, until the server has closed. It comes after what has arrived is read:
 * bytes of clients may have waited while the event loop was blocked, or the process had no CPU.
 */
export function checkRegularly(server: Server, check: () => void): void {
  const timer = setInterval(() => setImmediate(check), checkEveryMs).unref();
  server.once('close', () => clearInterval(timer));
}
