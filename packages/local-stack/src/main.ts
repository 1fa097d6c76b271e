// `pnpm start`: all of Meridian on this machine, until Ctrl-C.
import { runCommand } from './run-command.ts';
import { readStartOptions, startHelp } from './start-options.ts';

await runCommand(readStartOptions, startHelp);
