import type { Database } from '@meridian/database';
import { connectDatabase } from '@meridian/database';
import { createLogger } from '@meridian/telemetry';
import { createTestDatabase } from '@meridian/testing';

import { useInSuite } from './use-in-suite.ts';

/** A database with the gateway's tables, connected as the gateway connects. */
export interface UsageDatabase {
  readonly database: Database;
  /** For `DATABASE_URL`. */
  readonly url: string;
}

/** The database of a suite. */
export function useUsageDatabase(): UsageDatabase {
  return useInSuite(async () => {
    const testDatabase = await createTestDatabase({
      migrations: new URL('../../migrations/', import.meta.url),
      serviceRole: 'meridian_gateway',
    });
    const database = connectDatabase({
      url: testDatabase.serviceUrl,
      applicationName: 'test',
      poolSize: 2,
      statementTimeoutMs: 5000,
      logger: createLogger({ service: 'test', level: 'silent' }),
    });
    return {
      database,
      url: testDatabase.serviceUrl,
      async close() {
        await database.close();
        await testDatabase.drop();
      },
    };
  });
}
