// `pnpm router-config`: whether the gateway starts with a Router configuration, and the pages about its keys.
import { UsageError, readArgs, runCommand } from '@meridian/command-line';
import { readCheckCall, runCheck } from '@meridian/gateway/commands/check';
import { mendableError } from '@meridian/gateway/commands/mendable-error';

import { comparePages, writePages } from '../router-config/pages.ts';

const help = `Usage: pnpm router-config check <file> [--development] [--json]
       pnpm router-config reference [--check]

check      says how the gateway reads each key of a Router configuration: honoured; honoured, where Apollo Router needs
           a GraphOS plan; accepted without effect, and why; not supported, and what to do instead; unknown. Then it
           lists the differences from Apollo Router with this file, and says whether the gateway starts with it: it
           runs the checks of the start with the variables that are set here, and names those that are not.
           --development checks for NODE_ENV=development instead of production.
           --json prints the same as JSON; docs/differences-from-apollo-router.md describes it.
reference  writes docs/router-yaml.md and docs/differences-from-apollo-router.md; with --check it writes nothing,
           and says which of them are out of date.

Exit code: 0 when the gateway starts with the file (or the pages are up to date), 1 when not, 2 for a wrong call.
`;

await runCommand({
  name: 'pnpm router-config',
  help,
  read: readCall,
  run: (call) => call(),
  lineFor: mendableError,
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
