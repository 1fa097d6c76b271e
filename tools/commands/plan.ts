// `pnpm plan`: shows how an operation would be run, without running it.
import { runCommand } from '@meridian/command-line';
import { planCommand } from '@meridian/gateway/commands/plan-command';

await runCommand(planCommand('pnpm plan'));
