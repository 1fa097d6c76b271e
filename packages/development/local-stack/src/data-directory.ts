import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. */
export const checkout = fileURLToPath(new URL('../../../../', import.meta.url));

export const defaultDataRoot = join(checkout, '.data');

/** The files of the stack. All are below one folder, so removing that removes everything. */
export type DataDirectory = Readonly<ReturnType<typeof dataDirectoryAt>>;

/** Names the files below a folder, without touching any. */
export function dataDirectoryAt(root: string) {
  return {
    root,
    /** Names the stack that uses the folder. */
    claim: join(root, 'stack.json'),
    /** The processes of the stack. After a crash, the next start ends those that are left. */
    processes: join(root, 'processes.json'),
    /** The record of the running stack, for commands beside it. */
    running: join(root, 'running.json'),
    /** The secret that the services' keys and passwords are derived from. */
    secret: join(root, 'secret'),
    identity: join(root, 'identity'),
    postgres: join(root, 'postgres'),
    /** The supergraph that `pnpm dev` has composed. */
    supergraph: join(root, 'supergraph.graphql'),
    /** A log for each service, and the previous one. */
    logs: join(root, 'logs'),
    /** Node's compile cache, so that the next start is faster. */
    compileCache: join(root, 'compile-cache'),
  };
}
