import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, createTestIdentity, runScript, startServiceProcess } from '@meridian/testing';
import type { ServiceProcess } from '@meridian/testing';

import type { GraphqlBody, Who } from './host-subgraph.ts';

/** An app as a process of its own, over the demo data that its seed has made. */
export interface DemoApp extends ServiceProcess {
  /** The output of each run of the seed, line by line. */
  readonly seedRuns: readonly (readonly string[])[];
  ask(document: string, who?: Who): Promise<GraphqlBody>;
  close(): Promise<void>;
}

/**
 * The suite of an app's process, in a file of the app's `test/`: it is seeded, gets ready, and stops.
 *
 * @param testUrl the URL of that file
 * @param addTests adds the tests of what the seed has printed and made
 */
export function processSuite(name: string, testUrl: string, addTests: (app: () => DemoApp) => void): void {
  describe(`The ${name} process`, () => {
    let app: DemoApp;
    beforeAll(async () => {
      app = await startDemoApp(name, testUrl);
    });
    afterAll(() => app.close());

    it('is seeded again without a change', () => {
      expect(app.seedRuns[1]).toEqual(app.seedRuns[0]);
    });
    addTests(() => app);

    it('becomes ready, and exits 0 when it is stopped', async () => {
      expect((await fetch(`${app.adminUrl}/readyz`)).status).toBe(200);
      expect(await app.stop()).toBe(0);
    });
  });
}

/** Seeds twice, then starts the app in development, as `pnpm start` does. */
async function startDemoApp(name: string, testUrl: string): Promise<DemoApp> {
  const [main, seed] = [new URL('../src/main.ts', testUrl), new URL('../src/seed.ts', testUrl)];
  const store = await createTestDatabase({
    migrations: new URL('../migrations/', testUrl),
    serviceRole: `meridian_${name.replaceAll('-', '_')}`,
  });
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
      return (await response.json()) as GraphqlBody;
    },
    async close() {
      await app.stop();
      await identity.close();
      await store.drop();
    },
  };
}
