import { dirname, join } from 'node:path';

import { CommandError, counted } from '@meridian/settings/command-line';
import { printSchema } from 'graphql';

import { apiSchemaOf } from '../api-schema.ts';
import type { Composition } from '../composition.ts';
import { findRoverBinary } from '../rover/binary.ts';
import { composeWithRover } from '../rover/compose-with-rover.ts';
import { providePlugin } from '../rover/provide-plugin.ts';
import { readSupergraphConfig } from '../supergraph-config.ts';
import type { SchemaFiles } from '../supergraph-config.ts';
import { describeIssue } from './describe-issue.ts';
import { assertCurrent, writeGenerated } from './generated-file.ts';

/** The flags of `pnpm compose`. */
export interface ComposeOptions {
  readonly config: string;
  readonly output: string;
  readonly check: boolean;
  readonly offline: boolean;
  readonly plugins: string;
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
