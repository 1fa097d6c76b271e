import { join } from 'node:path';

import type { StartedProgram } from '../harness/started-program.ts';
import { lineWith, startProgram } from '../harness/started-program.ts';
import type { Accounts } from './create-accounts.ts';

/** A process that serves requests for accounts. */
export interface Server {
  readonly url: string;
  readonly pid: number;
}

export interface Servers {
  /** No Express, and nothing else either. */
  readonly bare: Server;
  /** The accounts service. */
  readonly service: Server;
  /** The service again, for reads with `If-None-Match`. */
  readonly revalidated: Server;
  stop(): Promise<void>;
}

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

export async function startServers({ accounts, identity, isProfiled }: ServersOptions): Promise<Servers> {
  const programs: StartedProgram[] = [];
  const start = async (script: string, profile?: string): Promise<Server> => {
    const program = startAccountsProgram(script, accounts.url, identity, profile);
    programs.push(program);
    return { url: await addressOf(program), pid: program.pid };
  };
  return {
    bare: await start('bare-server.ts'),
    service: await start(serviceScript, isProfiled ? 'accounts' : undefined),
    revalidated: await start(serviceScript),
    stop: async () => void (await Promise.all(programs.map((program) => program.stop()))),
  };
}

/** The accounts service as it ships. */
const serviceScript = '../../../../../apps/accounts/src/main.ts';

/** Starts a program of this folder, or the service, over a database. */
function startAccountsProgram(
  script: string,
  databaseUrl: string,
  identity: Identity,
  profile?: string,
): StartedProgram {
  return startProgram({
    script: join(import.meta.dirname, script),
    nodeFlags:
      profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', `.data/bench/profiles-${profile}`],
    env: {
      // A key of this machine's own is for development; nothing else of the service depends on it.
      NODE_ENV: 'development',
      PORT: '0',
      ADMIN_PORT: '0',
      DATABASE_URL: databaseUrl,
      JWKS_URL: identity.jwksUrl.href,
      JWT_ISSUER: identity.issuer,
      JWT_AUDIENCE: identity.audience,
      ETAG_KEYS: etagKey,
      CURSOR_KEYS: etagKey,
      TENANT_REQUESTS_PER_SECOND: '1000000',
    },
  });
}

/** Waits until it listens. Returns its URL. */
async function addressOf(program: StartedProgram): Promise<string> {
  const { address }: { address: { port: number } } = JSON.parse(await lineWith('"address"', program));
  return `http://127.0.0.1:${address.port}`;
}
