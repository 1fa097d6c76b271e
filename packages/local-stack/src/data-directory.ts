import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. */
export const checkout = fileURLToPath(new URL('../../../', import.meta.url));

export const defaultDataRoot = join(checkout, '.data');

/** Where the stack keeps what: everything is below one folder, so that removing it leaves nothing. */
export interface DataDirectory {
  readonly root: string;
  /** Names the stack that works here. */
  readonly claim: string;
  /** The processes of the stack, by which the next one finds those that a crash has left. */
  readonly processes: string;
  /** The record of the running stack, for commands beside it. */
  readonly running: string;
  /** The secret that the services' keys and passwords are derived from. */
  readonly secret: string;
  readonly identity: string;
  readonly postgres: string;
  /** The supergraph that `pnpm dev` has composed. */
  readonly supergraph: string;
  /** A file for each service, and the one before it. */
  readonly logs: string;
  /** Node's compile cache, so that the next start is faster. */
  readonly compileCache: string;
}

/** Names the files below a folder; touches none. */
export function dataDirectoryAt(root: string): DataDirectory {
  return {
    root,
    claim: join(root, 'stack.json'),
    processes: join(root, 'processes.json'),
    running: join(root, 'running.json'),
    secret: join(root, 'secret'),
    identity: join(root, 'identity'),
    postgres: join(root, 'postgres'),
    supergraph: join(root, 'supergraph.graphql'),
    logs: join(root, 'logs'),
    compileCache: join(root, 'compile-cache'),
  };
}
