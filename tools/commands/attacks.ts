// `pnpm attacks`: what each attack costs the gateway, beside the most expensive legal request. The figures are of the
// gateway's process alone, with the shipped router.yaml and with an empty one.
import { readArgs, runCommand } from '@meridian/command-line';

import { longestStallMs } from '../../apps/gateway/test/attacks/measure-attacks.ts';
import { reportAttacks } from '../../apps/gateway/test/attacks/report-attacks.ts';

const help = `Usage: pnpm attacks

Measures what hostile requests and lying subgraphs cost the gateway in CPU time, and how long
they keep it from anything else, beside the most expensive request that is legal:
docs/attacks.md. What a subgraph sends is also checked against an honest response of as many bytes.
Takes some minutes.

  --help  print this

Exit code: 0 when none costs more than the legal request or stalls the gateway for more
than ${longestStallMs} ms, 1 when one does, 2 for a wrong call.`;

await runCommand({
  name: 'pnpm attacks',
  help,
  read: (args) => readArgs(args, {}),
  run: reportAttacks,
});
