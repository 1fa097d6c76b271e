// Node runs this before each program that the stack starts: when the stack is killed, its programs stop themselves. The
// channel to the stack closes when the stack ends, for any reason.
import process from 'node:process';

/** Longer than a service's own grace (`SHUTDOWN_GRACE_MS`, 10 s). */
const timeoutMs = 12_000;

if (process.channel !== undefined) {
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), timeoutMs).unref();
  });
  // The channel must not keep a finished seed alive.
  process.channel.unref();
}
