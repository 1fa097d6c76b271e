import { resolve } from 'node:path';

import { readUsage } from '@meridian/gateway/commands/export-usage';
import { defaultDataRoot } from '@meridian/local-stack/data-directory';
import { findGatewayDatabase } from '@meridian/local-stack/gateway-database';
import type { RecordedUsage } from '@meridian/schema-check';
import { readUsageFile } from '@meridian/schema-check';

/** As many days as a check looks at by default, and those before them for comparison. */
const days = 60;

/**
 * Reads recorded usage from a file, else from the gateway's database where there is one.
 *
 * @param env names the database by DATABASE_URL
 * @throws {CommandError} for a file that is not an export of usage
 */
export async function readUsageAtHand(
  file: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<RecordedUsage | undefined> {
  if (file !== undefined) {
    return readUsageFile(file);
  }
  const databaseUrl = await findGatewayDatabase(resolve(defaultDataRoot), env);
  return databaseUrl === undefined ? undefined : await readUsage(days, databaseUrl);
}
