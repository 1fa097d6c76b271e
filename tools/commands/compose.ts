// `pnpm compose`: the supergraph that Rover composes, and the schema that clients see of it.
import { readArgs, runCommand } from '@meridian/settings/command-line';
import { writeSupergraph } from '@meridian/composition/commands/write-supergraph';
import { systemError } from '@meridian/composition/commands/system-error';
import { roverFolder } from '@meridian/composition/rover-folder';

const help = `Usage: pnpm compose [flags]

Composes the subgraphs into a supergraph, with Rover. Beside it goes what clients see of it, api-schema.graphql: without URLs of
subgraphs and without what is @inaccessible, for repositories of clients.

  --config <file>      what to compose, in Rover's own format (supergraph.yaml)
  --output <file>      where the supergraph goes (supergraph.graphql)
  --check              write nothing; fail when the output files are not what the subgraphs compose to
  --offline            do not try to download Apollo's composition plugin
  --plugins <folder>   where composition plugins are kept (.data/rover)
  --contracts <file>   what to hide from whom (contracts.yaml, where it is there): each contract is a supergraph
                       of its own, contracts/<name>/supergraph.graphql
  --help               print this

Exit code: 0 when the subgraphs compose (and the output files are current), 1 when not, 2 for a wrong call.`;

const options = {
  config: { type: 'string', default: 'supergraph.yaml' },
  output: { type: 'string', default: 'supergraph.graphql' },
  check: { type: 'boolean', default: false },
  offline: { type: 'boolean', default: false },
  plugins: { type: 'string', default: roverFolder },
  contracts: { type: 'string', default: 'contracts.yaml' },
} as const;

await runCommand({
  name: 'pnpm compose',
  help,
  read: (args) => readArgs(args, options).flags,
  run: writeSupergraph,
  lineFor: systemError,
});
