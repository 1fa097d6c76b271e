import process from 'node:process';

import { restartWithMemorySettings } from './process/memory-settings.ts';

restartWithMemorySettings();

// Not imported above: a restart would load everything twice.
const { runCommand } = await import('@meridian/command-line');
const { gatewayHelp } = await import('./process/gateway-help.ts');
const { withFlags } = await import('./process/with-flags.ts');
const { withSubgraphs } = await import('./composition/with-subgraphs.ts');
const { startGateway } = await import('./start-gateway.ts');

await runCommand({
  name: 'pnpm gateway',
  help: gatewayHelp,
  read: (args) => withFlags(process.env, args, process.stdout.isTTY),
  run: async (env) => void (await startGateway(await withSubgraphs(env))),
});
