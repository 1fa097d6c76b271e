import process from 'node:process';

import { runCommand } from '@meridian/command-line';

import { gatewayHelp } from './process/gateway-help.ts';
import { startGateway } from './start-gateway.ts';
import { withFlags } from './process/with-flags.ts';

await runCommand({
  name: 'pnpm gateway',
  help: gatewayHelp,
  read: (args) => withFlags(process.env, args),
  run: async (env) => void (await startGateway(env)),
});
