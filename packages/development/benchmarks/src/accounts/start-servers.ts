import { join } from 'node:path';

import type { StartedProgram } from '../harness/started-program.ts';
import { lineWith, startProgram } from '../harness/started-program.ts';
import type { Accounts } from './create-accounts.ts';

/** A process that serves requests for accounts. */
export interface Server {
  readonly url: string;
  readonly pid: number;
}

export type Servers = Awaited<ReturnType<typeof startServers>>;

/** The issuer of the tokens that the programs accept. */
export interface Identity {
  readonly jwksUrl: URL;
  readonly issuer: string;
  readonly audience: string;
}

interface ServersOptions {
  readonly accounts: Accounts;
  readonly identity: Identity;
  readonly isProfiled: boolean;
}

/** The key of the entity tags. */
export const etagKey = 'a key of the benchmark that is as long as it has to be';

export async function startServers({ accounts, identity, isProfiled }: ServersOptions) {
  const programs: StartedProgram[] = [];
  /** Starts a program of this folder, or the service; waits until it listens. */
  const start = async (script: string, nodeFlags: readonly string[] = []): Promise<Server> => {
    const program = startProgram({
      script: join(import.meta.dirname, script),
      nodeFlags,
      env: {
        // A key of this machine's own is for development; nothing else of the service depends on it.
        NODE_ENV: 'development',
        PORT: '0',
        ADMIN_PORT: '0',
        DATABASE_URL: accounts.url,
        JWKS_URL: identity.jwksUrl.href,
        JWT_ISSUER: identity.issuer,
        JWT_AUDIENCE: identity.audience,
        ETAG_KEYS: etagKey,
        CURSOR_KEYS: etagKey,
        TENANT_REQUESTS_PER_SECOND: '1000000',
      },
    });
    programs.push(program);
    const { address }: { address: { port: number } } = JSON.parse(await lineWith('"address"', program));
    return { url: `http://127.0.0.1:${address.port}`, pid: program.pid };
  };
  return {
    /** No Express, and nothing else either. */
    bare: await start('bare-server.ts'),
    /** The accounts service. */
    service: await start(serviceScript, isProfiled ? profileFlags : []),
    /** The service again, for reads with `If-None-Match`. */
    revalidated: await start(serviceScript),
    stop: async (): Promise<void> => void (await Promise.all(programs.map((program) => program.stop()))),
  };
}

/** The accounts service as it ships. */
const serviceScript = '../../../../../apps/accounts/src/main.ts';
const profileFlags = ['--cpu-prof', '--cpu-prof-dir', '.data/bench/profiles-accounts'];
