// `pnpm attacks`: what each attack costs the gateway, beside the most expensive legal request. The figures are of the
// gateway's process alone, with the shipped router.yaml and with an empty one.
import { flagValue, readArgs, runCommand } from '@meridian/command-line';

import { longestStallMs } from '../../apps/gateway/test/attacks/measure-attacks.ts';
import {
  configurationType,
  partType,
  reportAttacks,
} from '../../apps/gateway/test/attacks/report-attacks.ts';

const help = `Usage: pnpm attacks [flags]

Measures what hostile requests and lying subgraphs cost the gateway in CPU time, and how long
they keep it from anything else, beside the most expensive request that is legal:
docs/attacks.md. What a subgraph sends is also checked against an honest response of as many bytes.
Takes some minutes.

  --config <name>  with one configuration only: empty or shipped
  --part <n/m>     the n-th of m parts of the attacks, for a busy machine: 1/4
  --only <text>    the attacks with the text in their names
  --help           print this

Exit code: 0 when none costs more than the legal request or stalls the gateway for more
than ${longestStallMs} ms, 1 when one does, 2 for a wrong call.`;

await runCommand({
  name: 'pnpm attacks',
  help,
  read(args) {
    const { flags } = readArgs(args, {
      config: { type: 'string' },
      part: { type: 'string', default: '1/1' },
      only: { type: 'string', default: '' },
    });
    return {
      configuration:
        flags.config === undefined ? undefined : flagValue('--config', flags.config, configurationType),
      part: flagValue('--part', flags.part, partType),
      only: flags.only,
    };
  },
  run: reportAttacks,
});
