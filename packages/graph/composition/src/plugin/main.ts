// The program that Rover runs in place of its own composition plugin: `supergraph-v<version> compose <file>`. It writes
// one JSON document to standard output. Exit code: 0 with a supergraph, 1 with errors, 2 for a wrong call.
import { readFileSync } from 'node:fs';

import { composeSupergraph } from '../compose-supergraph.ts';
import type { SubgraphSchema } from '../compose-supergraph.ts';
import { buildResultOf, configurationError } from './build-result.ts';
import type { BuildResult } from './build-result.ts';
import { parseResolvedConfig } from './resolved-config.ts';

const [command, configFile, ...rest] = process.argv.slice(2);

if (command !== 'compose' || configFile === undefined || rest.length > 0) {
  process.stderr.write('usage: compose <resolved supergraph.yaml>\n');
  process.exitCode = 2;
} else {
  const result = compose(configFile);
  process.stdout.write(JSON.stringify(result));
  process.exitCode = 'Ok' in result ? 0 : 1;
}

function compose(file: string): BuildResult {
  let subgraphs: SubgraphSchema[];
  try {
    subgraphs = parseResolvedConfig(readFileSync(file, 'utf8'));
  } catch (error) {
    return configurationError(error instanceof Error ? error.message : String(error));
  }
  return buildResultOf(composeSupergraph(subgraphs));
}
