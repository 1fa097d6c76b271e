import { dirname, join } from 'node:path';

import { CommandError, counted } from '@meridian/settings/command-line';

import { printApiSchema } from '../api-schema.ts';
import type { Composition } from '../composition.ts';
import { composeContract } from '../contracts/compose-contract.ts';
import type { ContractFilter } from '../contracts/contracts-file.ts';
import { contractsFile, readContracts } from '../contracts/contracts-file.ts';
import { findRoverBinary } from '../rover/binary.ts';
import { composeWithRover } from '../rover/compose-with-rover.ts';
import { providePlugin } from '../rover/provide-plugin.ts';
import { readSupergraphConfig } from '../supergraph-config.ts';
import type { SchemaFiles } from '../supergraph-config.ts';
import { describeIssue } from './describe-issue.ts';
import type { GeneratedFile } from './generated-file.ts';
import { assertCurrent, readIfThere, writeGenerated } from './generated-file.ts';

/** The flags of `pnpm compose`. */
export interface ComposeOptions {
  readonly config: string;
  readonly output: string;
  readonly check: boolean;
  readonly offline: boolean;
  readonly plugins: string;
  /** A file; the default one may be missing. */
  readonly contracts: string;
}

/**
 * Writes the supergraph that Rover composes, and its API schema. With `check`, compares them with the files instead.
 *
 * @throws {CommandError} when the subgraphs do not compose, or the files are not current
 */
export async function writeSupergraph({
  config,
  output,
  check,
  offline,
  plugins,
  contracts,
}: ComposeOptions): Promise<void> {
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
  const supergraph = { path: output, text: textIn(composition, config, schemaFiles) };
  for (const hint of composition.hints ?? []) {
    process.stdout.write(`Hint: ${describeIssue(hint, schemaFiles)}\n`);
  }
  const files = [
    ...withApiSchema(supergraph),
    ...readContractsFile(contracts).flatMap(([name, filter]) =>
      withApiSchema({
        path: join(dirname(output), 'contracts', name, 'supergraph.graphql'),
        text: textIn(composeContract(supergraph.text, filter), `contract ${name}`, new Map()),
      }),
    ),
  ];
  if (check) {
    files.forEach((file) => assertCurrent(file, 'pnpm compose'));
    const paths = files.map(({ path }) => path);
    process.stdout.write(
      `${paths.slice(0, -1).join(', ')} and ${paths.at(-1)} are current, says ${composer} with ${plugin.description}\n`,
    );
    return;
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  for (const [index, file] of files.entries()) {
    say(`${file.path}: ${writeGenerated(file)}${index === 0 ? `, ${seconds} s` : ''}`);
  }
}

/** A supergraph, and beside it what its clients see. */
function withApiSchema(supergraph: GeneratedFile): readonly GeneratedFile[] {
  const path = join(dirname(supergraph.path), 'api-schema.graphql');
  return [supergraph, { path, text: `${printApiSchema(supergraph.text)}\n` }];
}

function readContractsFile(file: string): readonly (readonly [name: string, filter: ContractFilter])[] {
  const text = readIfThere(file);
  if (text !== undefined) {
    return [...readContracts(file, text)];
  }
  if (file !== contractsFile) {
    throw new CommandError(`Cannot read ${file}: it is not there`);
  }
  return [];
}

function textIn({ supergraphSdl, errors }: Composition, name: string, schemaFiles: SchemaFiles): string {
  if (errors !== undefined) {
    const described = errors.map((error) => describeIssue(error, schemaFiles));
    throw new CommandError(
      [`Cannot compose ${name}: ${counted(errors.length, 'error')}`, ...described].join('\n\n'),
    );
  }
  return `${supergraphSdl.trimEnd()}\n`;
}
