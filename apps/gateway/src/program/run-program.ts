import process from 'node:process';

import { runCommand } from '@meridian/settings/command-line';

import { readVersion } from './read-version.ts';

const name = 'meridian-gateway';

/** Runs the program of the npm package: the gateway, or a command beside it. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const [first = '', ...rest] = args;
  // Each command loads only what it needs.
  switch (first) {
    case 'check': {
      const { checkCommand } = await import('../commands/check-command.ts');
      return await runCommand(checkCommand(`${name} check`), rest);
    }
    case 'plan': {
      const { planCommand } = await import('../commands/plan-command.ts');
      return await runCommand(planCommand(`${name} plan`), rest);
    }
    case 'explain': {
      const { explainCommand } = await import('../commands/explain-command.ts');
      return await runCommand(explainCommand(`${name} explain`), rest);
    }
    case 'compose': {
      const { composeCommand } = await import('../composition/compose-command.ts');
      return await runCommand(composeCommand(`${name} compose`), rest);
    }
    case '--version':
      process.stdout.write(`${readVersion()}\n`);
      return;
    default: {
      const { serveCommand } = await import('./serve-command.ts');
      return await runCommand(serveCommand(name), args);
    }
  }
}
