import { CommandError } from '@meridian/settings/command-line';
import { parseSupergraphConfig } from '@meridian/composition';

import type { Version } from './repository.ts';

/** A subgraph as one version of the repository has it. */
export interface SubgraphFile {
  readonly name: string;
  readonly routingUrl: string;
  readonly file: string;
  readonly sdl: string;
}

/** The file that says which subgraphs there are. */
export const supergraphConfigFile = 'supergraph.yaml';

/**
 * Reads the schemas of all subgraphs of a version.
 *
 * @throws {CommandError} for a supergraph.yaml or a schema that is not there
 */
export function readSubgraphs({ name: version, read }: Version): readonly SubgraphFile[] {
  const mustRead = (path: string): string => {
    const text = read(path);
    if (text === undefined) {
      throw new CommandError(`Cannot read ${path} of ${version}: it is not there`);
    }
    return text;
  };
  const { subgraphNames, schemaFiles, routingUrls } = parseSupergraphConfig(supergraphConfigFile, () =>
    mustRead(supergraphConfigFile),
  );
  return subgraphNames.map((name) => {
    const file = schemaFiles.get(name);
    if (file === undefined) {
      throw new CommandError(
        `Cannot read the schema of ${name}: ${supergraphConfigFile} of ${version} names no file for it`,
      );
    }
    return { name, routingUrl: routingUrls.get(name) ?? '', file, sdl: mustRead(file) };
  });
}
