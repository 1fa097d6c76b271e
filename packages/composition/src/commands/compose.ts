// `pnpm compose`: writes the supergraph that Rover composes, and the schema that clients see of it; or with --check says whether the
// written ones are these.
import { dirname, join } from 'node:path';

import { CommandError, counted, readArgs, runCommand } from '@meridian/command-line';
import type { Flags } from '@meridian/command-line';

import { printSchema } from 'graphql';

import { apiSchemaOf } from '../api-schema.ts';
import type { Composition } from '../composition.ts';
import { findRoverBinary } from '../rover/binary.ts';
import { composeWithRover } from '../rover/compose-with-rover.ts';
import { roverFolder } from '../rover/folder.ts';
import { providePlugin } from '../rover/provide-plugin.ts';
import { readSupergraphConfig } from '../supergraph-config.ts';
import type { SchemaFiles } from '../supergraph-config.ts';
import { describeIssue } from './describe-issue.ts';
import { assertCurrent, writeGenerated } from './generated-file.ts';
import { systemError } from './system-error.ts';

const help = `Usage: pnpm compose [flags]

Composes the subgraphs into a supergraph, with Rover. Beside it goes what clients see of it, api-schema.graphql: without URLs of
subgraphs and without what is @inaccessible, for repositories of clients.

  --config <file>      what to compose, in Rover's own format (supergraph.yaml)
  --output <file>      where the supergraph goes (supergraph.graphql)
  --check              write nothing; fail when the output files are not what the subgraphs compose to
  --offline            do not try to download Apollo's composition plugin
  --plugins <folder>   where composition plugins are kept (.data/rover)
  --help               print this

Exit code: 0 when the subgraphs compose (and the output files are current), 1 when not, 2 for a wrong call.`;

const options = {
  config: { type: 'string', default: 'supergraph.yaml' },
  output: { type: 'string', default: 'supergraph.graphql' },
  check: { type: 'boolean', default: false },
  offline: { type: 'boolean', default: false },
  plugins: { type: 'string', default: roverFolder },
} as const;

await runCommand({
  name: 'pnpm compose',
  help,
  read: (args) => readArgs(args, options).flags,
  run: compose,
  lineFor: systemError,
});

async function compose({ config, output, check, offline, plugins }: Flags<typeof options>): Promise<void> {
  const startedAt = performance.now();
  const say = check ? () => {} : (line: string) => process.stdout.write(`${line}\n`);

  const { federationVersion, subgraphNames, schemaFiles } = readSupergraphConfig(config);
  const binary = findRoverBinary();
  const composer = `Rover ${binary.version}`;
  say(`${composer} composes ${config}: ${subgraphNames.join(', ')}`);

  const { env: environment } = process;
  const plugin = await providePlugin({
    version: federationVersion,
    binary,
    directory: plugins,
    mayDownload: !offline,
    environment,
    onProgress: say,
  });
  say(`Composition by ${plugin.description}`);

  const composition = await composeWithRover(config, schemaFiles, {
    binary,
    home: plugin.home,
    environment,
  });
  const supergraph = { path: output, text: supergraphTextIn(composition, config, schemaFiles) };
  for (const hint of composition.hints ?? []) {
    process.stdout.write(`Hint: ${describeIssue(hint, schemaFiles)}\n`);
  }
  const apiSchema = {
    path: join(dirname(output), 'api-schema.graphql'),
    text: `${printSchema(apiSchemaOf(supergraph.text))}\n`,
  };
  if (check) {
    assertCurrent(supergraph, 'pnpm compose');
    assertCurrent(apiSchema, 'pnpm compose');
    process.stdout.write(
      `${output} and ${apiSchema.path} are current, says ${composer} with ${plugin.description}\n`,
    );
    return;
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  say(`${output}: ${writeGenerated(supergraph)}, ${seconds} s`);
  say(`${apiSchema.path}: ${writeGenerated(apiSchema)}`);
}

function supergraphTextIn(composition: Composition, config: string, schemaFiles: SchemaFiles): string {
  const { supergraphSdl, errors } = composition;
  if (errors !== undefined) {
    const described = errors.map((error) => describeIssue(error, schemaFiles));
    throw new CommandError(
      [`Cannot compose ${config}: ${counted(errors.length, 'error')}`, ...described].join('\n\n'),
    );
  }
  return `${supergraphSdl.trimEnd()}\n`;
}
