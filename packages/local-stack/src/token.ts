// `pnpm run token`: a token that the services of `pnpm start` take, alone on standard output.
import process from 'node:process';

import { allScopes } from '@meridian/auth';
import { createDevelopmentIdentity } from '@meridian/auth/development';

import { dataDirectoryAt } from './data-directory.ts';
import { describeFailure } from './describe-failure.ts';
import { readTokenOptions, tokenHelp } from './token-options.ts';

try {
  const { help, dataRoot, ...claims } = readTokenOptions(process.argv.slice(2));
  if (help) {
    process.stdout.write(tokenHelp);
  } else {
    const unknown = claims.scopes.filter((scope) => !allScopes.some((known) => known === scope));
    if (unknown.length > 0) {
      process.stderr.write(`Note: nothing here asks for the scope ${unknown.join(', ')}\n`);
    }
    const identity = await createDevelopmentIdentity(dataDirectoryAt(dataRoot).identity);
    process.stdout.write(`${await identity.signToken(claims)}\n`);
  }
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exitCode = 1;
}
