import { resolve } from 'node:path';
import process from 'node:process';

import { readUsage } from '@meridian/gateway/commands/export-usage';
import { defaultDataRoot } from '@meridian/local-stack/data-directory';
import { findGatewayDatabase } from '@meridian/local-stack/gateway-database';
import { readGatewayLimits } from '@meridian/gateway/commands/gateway-limits';
import type { ChosenGraph, GraphInRepository, RecordedUsage } from '@meridian/schema-check';
import { chooseGraph, readUsageFile, workingTree } from '@meridian/schema-check';

/** As many days as a check looks at by default, and those before them for comparison. */
const days = 60;

/**
 * Reads a graph of the working directory: its usage from a file, else from the gateway's database where there is one.
 *
 * @param flags the name of the graph, undefined for the whole one, and the file
 * @param env names the database by DATABASE_URL
 * @throws {UsageError} for a graph that is not there
 * @throws {CommandError} for a file that is not an export of usage
 */
export async function readGraphAtHand(
  flags: { readonly graph?: string | undefined; readonly usage?: string | undefined },
  env: NodeJS.ProcessEnv,
): Promise<GraphInRepository> {
  const root = process.cwd();
  const chosen = chooseGraph(workingTree(root), flags.graph);
  return {
    root,
    usage: await usageAtHand(chosen, flags.usage, env),
    served: { chosen, readLimits: readGatewayLimits },
  };
}

async function usageAtHand(
  { name }: ChosenGraph,
  file: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<RecordedUsage | undefined> {
  if (file !== undefined) {
    return readUsageFile(file);
  }
  const databaseUrl = await findGatewayDatabase(resolve(defaultDataRoot), env);
  // A gateway of one graph records it without a name.
  return databaseUrl === undefined ? undefined : await readUsage(days, databaseUrl, name || undefined);
}
