import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. */
export const checkout = fileURLToPath(new URL('../../../../', import.meta.url));

export const defaultDataRoot = join(checkout, '.data');

/** The files of the stack. All are below one folder, so removing that removes everything. */
export interface DataDirectory {
  readonly root: string;
  /** Names the stack that uses the folder. */
  readonly claim: string;
  /** The processes of the stack. After a crash, the next start ends those that are left. */
  readonly processes: string;
  /** The record of the running stack, for commands beside it. */
  readonly running: string;
  /** The secret that the services' keys and passwords are derived from. */
  readonly secret: string;
  readonly identity: string;
  readonly postgres: string;
  /** The supergraph that `pnpm dev` has composed. */
  readonly supergraph: string;
  /** A log for each service, and the previous one. */
  readonly logs: string;
  /** Node's compile cache, so that the next start is faster. */
  readonly compileCache: string;
}

/** Names the files below a folder, without touching any. */
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
