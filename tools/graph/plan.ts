// `pnpm graph plan`: shows how an operation would be run, without running it.
import { runCommand } from '@meridian/settings/command-line';
import { planCommand } from '@meridian/gateway/commands/plan-command';

export async function run(args: readonly string[]): Promise<void> {
  await runCommand(planCommand('pnpm graph plan'), args);
}
