import { join } from 'node:path';

import {
  dropDatabase,
  migrateDatabase,
  MigrationError,
  MigrationHistoryError,
  provisionDatabase,
} from '@meridian/database';
import type { ProvisionedDatabase } from '@meridian/database';
import { databaseOf } from '@meridian/database/database-of';

import { checkout } from '../data-directory.ts';
import { StackError } from '../stack-error.ts';

export interface PrepareDatabaseOptions {
  readonly service: string;
  /** The URL of the server, with a role that may create databases and roles. */
  readonly adminUrl: string;
  /** The password of the service's role. */
  readonly password: string;
  /** True to remove the database first, with all its data. */
  readonly isReset: boolean;
  /** True when DATABASE_URL names the server. */
  readonly isOtherServer: boolean;
  readonly onStep: (step: string) => void;
}

/**
 * Creates a service's database and role if they are missing, and runs the missing migrations.
 *
 * @throws {StackError} if the server or the content of the database does not allow it
 */
export async function prepareDatabase({
  service,
  adminUrl,
  password,
  isReset,
  isOtherServer,
  onStep,
}: PrepareDatabaseOptions): Promise<ProvisionedDatabase> {
  const name = databaseOf(service);
  try {
    if (isReset) {
      await dropDatabase(adminUrl, name);
    }
    const urls = await provisionDatabase({
      adminUrl,
      database: name,
      serviceRole: name,
      servicePassword: password,
    });
    await migrateDatabase({
      ownerUrl: urls.ownerUrl,
      directory: join(checkout, 'apps', service, 'migrations'),
      serviceRole: name,
      onMigration: (migration) => onStep(`migration ${migration}`),
    });
    return urls;
  } catch (error) {
    if (error instanceof MigrationError || (error instanceof Error && 'code' in error)) {
      const sentences = [
        `The database ${name} cannot be prepared: ${reasonOf(error)}`,
        ...(isOtherServer ? ['It is on the server that DATABASE_URL names'] : []),
        ...(error instanceof MigrationHistoryError
          ? [`Restore the file, or start over with its data: pnpm start --reset ${service}`]
          : []),
      ];
      throw new StackError(sentences.join('. '), { cause: error });
    }
    throw error;
  }
}

/** Node's error for a refused connection has several causes and no message. */
function reasonOf(error: Error): string {
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}
