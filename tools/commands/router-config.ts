// `pnpm router-config`: whether the gateway starts with a Router configuration, and the files about its keys.
import { UsageError, readArgs, runCommand } from '@meridian/settings/command-line';
import { checkDescription, readCheckCall, runCheck } from '@meridian/gateway/commands/check-command';
import { fixableErrorMessage } from '@meridian/gateway/commands/fixable-error-message';

import { compareFiles, writeFiles } from '../router-config/generated-files.ts';

const help = `Usage: pnpm router-config check <file> [--development] [--ignore-unsupported] [--json]
       pnpm router-config reference [--check]

check
${checkDescription}

reference
Writes all that is made from the declarations of keys: docs/router-yaml.md, the JSON Schema,
and docs/differences-from-apollo-router.md, which describes the JSON of check too.

  --check        write nothing, and say which of the files are out of date

Exit code: 0 when the gateway starts with the file (or the files are up to date), 1 when not, 2 for a wrong call.
`;

await runCommand({
  name: 'pnpm router-config',
  help,
  read: readCall,
  run: (call) => call(),
  lineFor: fixableErrorMessage,
});

function readCall([command, ...args]: readonly string[]): () => void | Promise<void> {
  switch (command) {
    case 'check': {
      const call = readCheckCall(args);
      return () => runCheck(call);
    }
    case 'reference': {
      const { flags } = readArgs(args, { check: { type: 'boolean', default: false } });
      return flags.check ? compareFiles : writeFiles;
    }
    case undefined:
      throw new UsageError('check or reference is missing');
    default: {
      const what = command.startsWith('-') ? 'Unknown option' : 'Unexpected argument';
      throw new UsageError(`${what} '${command}'`);
    }
  }
}
