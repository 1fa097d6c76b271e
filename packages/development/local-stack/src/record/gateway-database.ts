import { dataDirectoryAt } from '../data-directory.ts';
import { databasePasswordPurpose } from '../prepare/prepare-service.ts';
import { readStackRecord, serverUrlWithoutPassword } from './stack-record.ts';
import { openStackSecret } from '../stack-secret.ts';

/**
 * The URL of the gateway's database for a command: from DATABASE_URL, else from the running stack; undefined without
 * either. For `pnpm start`, DATABASE_URL names a server, on which it creates the gateway's database among others. If it
 * still names the server of the running stack, that stack is meant.
 */
export async function findGatewayDatabase(
  dataRoot: string,
  { DATABASE_URL: named = '' }: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const data = dataDirectoryAt(dataRoot);
  const record = readStackRecord(data.running);
  const isServerOfStack = record?.serverUrl === serverUrlWithoutPassword(named);
  if (record === undefined || (named !== '' && !isServerOfStack)) {
    return named === '' ? undefined : named;
  }
  const url = new URL(record.gatewayDatabaseUrl);
  url.password = (await openStackSecret(data.secret))(databasePasswordPurpose('gateway'));
  return url.href;
}
