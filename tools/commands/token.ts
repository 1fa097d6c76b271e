// `pnpm run token`: a token that the services of `pnpm start` take, alone on standard output.
import { runCommand } from '@meridian/settings/command-line';
import { describeFailure } from '@meridian/local-stack/describe-failure';
import { printToken } from '@meridian/local-stack/print-token';
import { readTokenOptions, tokenHelp } from '@meridian/local-stack/token-options';

await runCommand({
  name: 'pnpm run token',
  help: tokenHelp,
  read: readTokenOptions,
  run: printToken,
  lineFor: describeFailure,
});
