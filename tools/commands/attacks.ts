// `pnpm attacks`: what each attack costs the gateway, beside the most expensive legal request, and what each connection
// costs it and the services. The figures are of the attacked process alone.
import { flagValue, readArgs, runCommand } from '@meridian/settings/command-line';

import { maxStallMs } from '../../apps/gateway/test/attacks/measure-attacks.ts';
import {
  configurationType,
  partType,
  reportAttacks,
} from '../../apps/gateway/test/attacks/report-attacks.ts';
import { reportConnections } from '../../apps/gateway/test/attacks/report-connections.ts';

const help = `Usage: pnpm attacks [flags]

Measures what hostile requests and lying subgraphs cost the gateway in CPU time, and how long
they keep it from anything else, beside the most expensive request that is legal:
docs/attacks.md. What a subgraph sends is also checked against an honest response of as many bytes.
Then measures what connections hold that clients keep: idle, half-sent, unread, pipelined; of the
gateway, accounts and products, beside plain Node. Takes some minutes.

  --connections    the connections only
  --config <name>  requests with one configuration only: empty or shipped
  --part <n/m>     the n-th of m parts of the attacks, for a busy machine: 1/4
  --only <text>    the attacks, or connections, with the text in their names
  --help           print this

Exit code: 0 when none costs more than the legal request, holds more than it may, or stalls the
process for more than ${maxStallMs} ms, 1 when one does, 2 for a wrong call.`;

await runCommand({
  name: 'pnpm attacks',
  help,
  read(args) {
    const { flags } = readArgs(args, {
      connections: { type: 'boolean', default: false },
      config: { type: 'string' },
      part: { type: 'string', default: '1/1' },
      only: { type: 'string', default: '' },
    });
    return {
      configuration:
        flags.config === undefined ? undefined : flagValue('--config', flags.config, configurationType),
      part: flagValue('--part', flags.part, partType),
      only: flags.only,
      ofRequests: !flags.connections,
      ofConnections: flags.connections || (flags.config === undefined && flags.part === '1/1'),
    };
  },
  async run({ ofRequests, ofConnections, ...selection }) {
    const areHeld = [
      !ofRequests || (await reportAttacks(selection)),
      !ofConnections || (await reportConnections(selection.only)),
    ];
    process.exitCode = areHeld.every(Boolean) ? 0 : 1;
  },
});
