import { afterAll, beforeAll } from '@jest/globals';

import type { UsageDatabase } from './usage-database.ts';
import { createUsageDatabase } from './usage-database.ts';

/** The database of a suite, dropped at its end. */
export function useUsageDatabase(): UsageDatabase {
  let current: UsageDatabase | undefined;
  beforeAll(async () => {
    current = await createUsageDatabase();
  });
  afterAll(() => current?.drop());
  return new Proxy({} as UsageDatabase, {
    get(_target, name) {
      if (current === undefined) {
        throw new Error('the database is not there yet');
      }
      return Reflect.get(current, name) as unknown;
    },
  });
}
