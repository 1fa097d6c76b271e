import type { StopSignal } from '@meridian/cancellation';

/** Awaits a promise. Rejects with the signal's reason once that has aborted; the promise itself continues. */
export async function unlessAborted<Value>(promise: Promise<Value>, signal: StopSignal): Promise<Value> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
