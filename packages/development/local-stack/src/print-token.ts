import { existsSync } from 'node:fs';
import process from 'node:process';

import { createDevelopmentIdentity } from '@meridian/auth/development';
import { demoTenantIds } from '@meridian/demo-data';

import { dataDirectoryAt } from './data-directory.ts';
import { knownScopes } from './apps/services.ts';
import type { TokenOptions } from './options/token-options.ts';

/** Prints a token that the services of a stack accept, alone on standard output; notes go to standard error. */
export async function printToken({ dataRoot, ...claims }: TokenOptions): Promise<void> {
  const known = knownScopes();
  const unknown = claims.scopes.filter((scope) => !known.includes(scope));
  if (unknown.length > 0) {
    note(`no service here uses the scope ${unknown.join(', ')}`);
  }
  if (demoTenantIds.every((known) => known !== claims.tenant)) {
    note(
      `the demo data has no tenant ${claims.tenant}, but ${demoTenantIds.join(' and ')}; pnpm generate-data makes others`,
    );
  }
  const directory = dataDirectoryAt(dataRoot).identity;
  if (!existsSync(directory)) {
    note(`there was no identity yet, as pnpm start has not run there; made one in ${directory}`);
  }
  const identity = await createDevelopmentIdentity(directory);
  process.stdout.write(`${await identity.signToken(claims)}\n`);
}

function note(text: string): void {
  process.stderr.write(`Note: ${text}\n`);
}
