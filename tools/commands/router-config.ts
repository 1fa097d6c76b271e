// `pnpm router-config`: whether the gateway starts with a Router configuration, and the pages about its keys.
import { UsageError, readArgs, runCommand } from '@meridian/command-line';
import { checkDescription, readCheckCall, runCheck } from '@meridian/gateway/commands/check-command';
import { fixableErrorMessage } from '@meridian/gateway/commands/fixable-error-message';

import { comparePages, writePages } from '../router-config/pages.ts';

const help = `Usage: pnpm router-config check <file> [--development] [--json]
       pnpm router-config reference [--check]

check
${checkDescription}

reference
Writes docs/router-yaml.md and docs/differences-from-apollo-router.md, which describes
the JSON of check too.

  --check        write nothing, and say which of the two pages are out of date

Exit code: 0 when the gateway starts with the file (or the pages are up to date), 1 when not, 2 for a wrong call.
`;

await runCommand({
  name: 'pnpm router-config',
  help,
  read: readCall,
  run: (call) => call(),
  lineFor: fixableErrorMessage,
});

function readCall([command, ...args]: readonly string[]): () => void {
  switch (command) {
    case 'check': {
      const call = readCheckCall(args);
      return () => runCheck(call);
    }
    case 'reference': {
      const { flags } = readArgs(args, { check: { type: 'boolean', default: false } });
      return flags.check ? comparePages : writePages;
    }
    case undefined:
      throw new UsageError('check or reference is missing');
    default: {
      const what = command.startsWith('-') ? 'Unknown option' : 'Unexpected argument';
      throw new UsageError(`${what} '${command}'`);
    }
  }
}
