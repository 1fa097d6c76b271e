// `pnpm commands`: all commands, each in a line.
import { noFlags, runCommand } from '@meridian/settings/command-line';

import { listCommands } from '../list-commands.ts';

const help = `Usage: pnpm commands

Lists the commands of this repository, first the everyday ones.

  --help   print this`;

await runCommand({
  name: 'pnpm commands',
  help,
  read: noFlags,
  run: () => {
    console.log(listCommands());
  },
});
