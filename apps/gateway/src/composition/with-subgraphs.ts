import cluster from 'node:cluster';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { CommandError } from '@meridian/settings/command-line';
import { exitOnSignals } from '@meridian/http';
import { printableLines } from '@meridian/settings/values';

import type { Environment } from '../config/gateway-environment.ts';
import { subgraphUrls, subgraphsVariable } from './subgraph-urls.ts';

/** The pause between two looks at the subgraphs, in milliseconds. */
const everyMs = 1000;

/**
 * The environment with the supergraph of the running subgraphs that `--subgraph` names: a file that follows their
 * schemas. Composition is loaded only for that.
 *
 * @throws {CommandError} where composition is not installed
 */
export async function withSubgraphs(env: Environment): Promise<Environment> {
  const urls = subgraphUrls.parse(env[subgraphsVariable] ?? '');
  // A worker finds the file of the primary process in its environment.
  if (urls === undefined || cluster.isWorker) {
    return env;
  }
  const hasComposed = exitOnSignals();
  const { followSubgraphs } = await loadComposition();
  const folder = mkdtempSync(join(tmpdir(), 'meridian-supergraph-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'supergraph.graphql');
  await followSubgraphs(urls, {
    path,
    say: (text) => process.stderr.write(printableLines(`${text}\n`)),
    everyMs,
  });
  hasComposed();
  process.env['SUPERGRAPH_PATH'] = path;
  return { ...env, SUPERGRAPH_PATH: path };
}

/** A development dependency, which images lack. */
async function loadComposition() {
  try {
    return await import('./follow-subgraphs.ts');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') {
      throw new CommandError(
        '--subgraph needs composition, which images leave out: use the npm package, or compose a file for --supergraph',
        { cause: error },
      );
    }
    throw error;
  }
}
