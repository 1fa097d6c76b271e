// `pnpm plan`: shows how an operation would be run, without running it.
import process from 'node:process';

import { runPlanCommand } from './plan-command.ts';

const { exitCode, text } = await runPlanCommand(process.argv.slice(2));
(exitCode === 0 ? process.stdout : process.stderr).write(`${text}\n`);
process.exitCode = exitCode;
