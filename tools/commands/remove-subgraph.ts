// `pnpm remove-subgraph`: the end of a subgraph, in its folder and in every list of apps.
import { readArgs, runCommand } from '@meridian/settings/command-line';
import { systemError } from '@meridian/composition/commands/system-error';

import { removeSubgraph } from '../subgraphs/remove-subgraph.ts';

const help = `Usage: pnpm remove-subgraph <name> [flags]

Removes apps/<name>, takes it out of every list that pnpm create-subgraph adds to, and composes the others.
It refuses while another subgraph refers to its types or an app calls it, when the others would not compose, and
when git does not have all of its files.

  --force     remove it all the same
  --dry-run   print what it would change, and any reason to refuse; change nothing
  --help      print this

Exit code: 0 when it is removed, 1 when not, 2 for a wrong call.`;

const options = {
  force: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
} as const;

await runCommand({
  name: 'pnpm remove-subgraph',
  help,
  read(args) {
    const {
      flags: { force, 'dry-run': dryRun },
      others: [name = ''],
    } = readArgs(args, options, ['<name>']);
    return { name, force, dryRun };
  },
  run: removeSubgraph,
  lineFor: systemError,
});
