// Node runs this before each program that the stack starts: where the stack is killed, nobody is left to stop its
// programs, so they stop themselves. The channel to the stack closes when it ends, whatever ends it.
import process from 'node:process';

/** Longer than a service's own grace (`SHUTDOWN_GRACE_MS`, 10 s). */
const timeoutMs = 12_000;

if (process.channel !== undefined) {
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), timeoutMs).unref();
  });
  // A seed that has done its work must be able to end.
  process.channel.unref();
}
