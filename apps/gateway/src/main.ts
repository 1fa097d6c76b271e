import process from 'node:process';

import { restartWithMemorySettings } from './program/memory-settings.ts';

restartWithMemorySettings();

// Not imported above: a restart would load everything twice.
const { runCommand } = await import('@meridian/settings/command-line');
const { gatewayHelp } = await import('./program/gateway-help.ts');
const { withFlags } = await import('./program/with-flags.ts');
const { withSubgraphs } = await import('./composition/with-subgraphs.ts');
const { startGateway } = await import('./program/start-gateway.ts');

await runCommand({
  name: 'pnpm gateway',
  help: gatewayHelp,
  read: (args) => withFlags(process.env, args, process.stdout.isTTY),
  run: async (env) => void (await startGateway(await withSubgraphs(env))),
});
