import type { Logger } from '@meridian/telemetry';

const users = new Map<object, Logger>();

function report(error: unknown): void {
  const [logger] = users.values();
  logger?.error(
    { err: error },
    'a promise was rejected that nothing awaits: a hook has to await, or catch, what it begins',
  );
}

/**
 * Logs rejected promises that nothing awaits, for which Node would end the process: code of an operator forgets one
 * easily, and all requests would fail for it. The returned function gives them back to Node, unless others log them.
 */
export function logForgottenPromises(logger: Logger): () => void {
  const user = {};
  if (users.size === 0) {
    process.on('unhandledRejection', report);
  }
  users.set(user, logger);
  return () => {
    users.delete(user);
    if (users.size === 0) {
      process.off('unhandledRejection', report);
    }
  };
}
