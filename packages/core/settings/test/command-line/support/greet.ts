// A command for the tests: greets somebody so often, and fails for some.
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';

import { CommandError, flagValue, integer, readArgs, runCommand } from '../../../src/command-line/index.ts';

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
  async run({ name, times }) {
    if (name === 'nobody') {
      throw new CommandError('Nobody is there');
    }
    if (name === 'bug') {
      throw new TypeError('A bug');
    }
    if (name === 'wall') {
      throw new RangeError('It does not answer');
    }
    if (name === 'crowd' || name === 'rude crowd') {
      for (let left = 20; left > 0; left -= 1) {
        process.stdout.write(`Hello, one of ${left}.\n`);
        await setTimeout(10);
      }
      process.stderr.write('All are greeted\n');
      if (name === 'rude crowd') {
        throw new CommandError('None of them greets back');
      }
      return;
    }
    process.stdout.write(`${`Hello ${name}. `.repeat(times).trim()}\n`);
  },
  lineFor: (error) => (error instanceof RangeError ? error.message : undefined),
});
