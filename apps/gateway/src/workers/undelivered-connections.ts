import type { Worker } from 'node:cluster';

interface Closable {
  close(): void;
}

/**
 * Closes the connections that a worker was given and had not taken when it ended, so that their clients can try again.
 * `node:cluster` closes its own handle of a connection only when the worker acknowledges it: without this, the clients
 * of a worker that is killed would wait for ever. It reads messages that are internal to Node; with a version that has
 * others, it does nothing.
 */
export function closeUndelivered(worker: Worker): void {
  const undelivered = new Map<unknown, Closable>();
  const { process: child } = worker;
  const send = child.send.bind(child);
  Object.assign(child, {
    send(...args: Parameters<typeof send>): boolean {
      const [message, handle] = args;
      if (isInternal(message) && message.act === 'newconn' && isClosable(handle)) {
        undelivered.set(message.seq, handle);
      }
      return send(...args);
    },
  });
  child.on('internalMessage', (message: unknown) => {
    if (isInternal(message)) {
      undelivered.delete(message.ack);
    }
  });
  child.once('exit', () => {
    for (const handle of undelivered.values()) {
      handle.close();
    }
  });
}

/** A message of `node:cluster`. `seq` numbers it, and `ack` is the number of the one that it acknowledges. */
interface InternalMessage {
  readonly cmd: 'NODE_CLUSTER';
  readonly act?: unknown;
  readonly seq?: unknown;
  readonly ack?: unknown;
}

function isInternal(message: unknown): message is InternalMessage {
  return (
    typeof message === 'object' && message !== null && 'cmd' in message && message.cmd === 'NODE_CLUSTER'
  );
}

function isClosable(handle: unknown): handle is Closable {
  return (
    typeof handle === 'object' && handle !== null && 'close' in handle && typeof handle.close === 'function'
  );
}
