import { createTestDatabase, createTestIdentity, runScript, startServiceProcess } from '@meridian/testing';
import type { ServiceProcess, TestDatabaseOptions } from '@meridian/testing';

import type { GraphqlAnswer, Who } from './host-subgraph.ts';

export interface DemoAppOptions extends TestDatabaseOptions {
  /** The app's `src/main.ts`. */
  readonly main: URL;
  /** The app's `src/seed.ts`. */
  readonly seed: URL;
}

/** An app as a process of its own, over the demo data that its seed has made. */
export interface DemoApp extends ServiceProcess {
  /** The output of each run of the seed, line by line. */
  readonly seedRuns: readonly (readonly string[])[];
  ask(document: string, who?: Who): Promise<GraphqlAnswer>;
  close(): Promise<void>;
}

/** Seeds twice, then starts the app in development, as `pnpm start` does. */
export async function startDemoApp({ main, seed, ...options }: DemoAppOptions): Promise<DemoApp> {
  const store = await createTestDatabase(options);
  const identity = await createTestIdentity();
  const env = {
    NODE_ENV: 'development',
    DATABASE_URL: store.serviceUrl,
    JWKS_URL: identity.jwksUrl.href,
    JWT_ISSUER: identity.issuer,
    ETAG_KEYS: 'a key of the tests that is as long as it has to be',
    // The default is too short for the first statement of a process on a busy machine, above all on Citus, whose
    // coordinator connects to a worker for it.
    REQUEST_DEADLINE_MS: '10000',
  };
  const seedRuns: string[][] = [];
  for (let run = 1; run <= 2; run += 1) {
    const { code, stdout, stderr } = await runScript(seed, env);
    if (code !== 0) {
      throw new Error(`Cannot seed: ${stderr}`);
    }
    seedRuns.push(stdout.trimEnd().split('\n'));
  }
  const app = await startServiceProcess(main, env);

  return {
    ...app,
    seedRuns,
    async ask(document, who) {
      const response = await fetch(`${app.url}/graphql`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await identity.token(who)}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ query: document }),
      });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it holds is what the tests are about
      return (await response.json()) as GraphqlAnswer;
    },
    async close() {
      await app.stop();
      await identity.close();
      await store.drop();
    },
  };
}
