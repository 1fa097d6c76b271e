// A command for the tests: greets somebody so often, and fails for some.
import process from 'node:process';

import { CommandError, flagValue, integer, readArgs, runCommand } from '../../src/index.ts';

await runCommand({
  name: 'pnpm greet',
  help: 'Usage: pnpm greet <name> [flags]\n\n  --times <n>  how often (1)',
  read(args) {
    const { flags, others } = readArgs(args, { times: { type: 'string', default: '1' } }, ['<name>']);
    return {
      name: others[0] ?? '',
      times: flagValue('--times', flags.times, integer({ minimum: 1, maximum: 3 })),
    };
  },
  run({ name, times }) {
    if (name === 'nobody') {
      throw new CommandError('Nobody is there');
    }
    if (name === 'bug') {
      throw new TypeError('A bug');
    }
    if (name === 'wall') {
      throw new RangeError('It does not answer');
    }
    process.stdout.write(`${`Hello ${name}. `.repeat(times).trim()}\n`);
  },
  lineFor: (error) => (error instanceof RangeError ? error.message : undefined),
});
