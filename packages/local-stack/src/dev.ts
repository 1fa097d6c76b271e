// `pnpm dev --only <subgraph>`: all of Meridian, with one subgraph, or some, as their files are at each moment.
import { devHelp, readDevOptions } from './dev-options.ts';
import { runCommand } from './run-command.ts';

await runCommand(readDevOptions, devHelp);
