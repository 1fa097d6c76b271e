import { createTestDatabase, startServiceProcess } from '../../../packages/development/testing/src/index.ts';
import type { TestIdentity } from '../../../packages/development/testing/src/index.ts';

const testKey = 'a key of the tests that is as long as it has to be';

/** A service that serves a REST API, on a database of its own. */
export interface RestService {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startRestService(
  name: 'accounts' | 'orders',
  identity: TestIdentity,
): Promise<RestService> {
  const app = new URL(`../../../apps/${name}/`, import.meta.url);
  const database = await createTestDatabase({
    migrations: new URL('migrations/', app),
    serviceRole: `meridian_${name}`,
  });
  const service = await startServiceProcess(new URL('src/main.ts', app), {
    DATABASE_URL: database.serviceUrl,
    JWKS_URL: identity.jwksUrl.href,
    JWT_ISSUER: identity.issuer,
    JWT_AUDIENCE: identity.audience,
    ETAG_KEYS: testKey,
    CURSOR_KEYS: testKey,
  });
  return {
    url: service.url,
    async stop() {
      await service.stop();
      await database.drop();
    },
  };
}
