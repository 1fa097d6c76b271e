import { join } from 'node:path';

import type { ProcessRecord } from '../run/process-record.ts';
import type { Program } from '../run/program.ts';
import { environmentOf } from '../run/service-environment.ts';
import type { EnvironmentSources } from '../run/service-environment.ts';
import type { Service } from '../apps/services.ts';
import { fillWithDemoData } from './demo-data.ts';
import { prepareDatabase } from './prepare-database.ts';
import type { PrepareDatabaseOptions } from './prepare-database.ts';

export interface PrepareServiceOptions
  extends EnvironmentSources, Pick<PrepareDatabaseOptions, 'adminUrl' | 'isReset' | 'onStep'> {
  /** The URL of the server, if it is not the stack's own. */
  readonly serverUrl: string | undefined;
  readonly record: ProcessRecord;
  /** Ends the preparation. */
  readonly signal: AbortSignal;
}

/** The purpose of a service role's password. */
export const databasePasswordPurpose = (service: string): string => `${service}/database-password`;

/** Prepares everything that a service needs for its start, and returns its program. */
export async function prepareService(service: Service, options: PrepareServiceOptions): Promise<Program> {
  const { adminUrl, serverUrl, isReset, secretFor, record, onStep, signal } = options;
  const { name, hasDatabase, hasDemoData } = service;
  const program: Program = {
    name,
    entry: `apps/${name}/src/main.ts`,
    environment: environmentOf(service, options),
    log: join(options.data.logs, `${name}.log`),
  };
  if (!hasDatabase) {
    return program;
  }
  const { ownerUrl, serviceUrl } = await prepareDatabase({
    service: name,
    adminUrl,
    password: secretFor(databasePasswordPurpose(name)),
    isReset,
    isOtherServer: serverUrl !== undefined,
    onStep,
  });
  const environment = { ...program.environment, DATABASE_URL: serviceUrl };
  if (hasDemoData) {
    signal.throwIfAborted();
    await fillWithDemoData({
      service: name,
      ownerUrl,
      seed: { ...program, environment, name: `${name} seed`, entry: `apps/${name}/src/seed.ts` },
      record,
      onProgress: (done, total) => onStep(`demo data, ${done} of ${total} rows`),
      signal,
    });
  }
  return { ...program, environment };
}
