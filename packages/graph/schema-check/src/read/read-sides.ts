import { readFileSync } from 'node:fs';

import { CommandError, UsageError, counted } from '@meridian/settings/command-line';
import type { CompositionIssue } from '@meridian/composition';
import { composeSupergraph, parseSupergraphConfig } from '@meridian/composition';
import { SupergraphError } from '@meridian/executor';

import type { Graph } from '../changes/graph.ts';
import { readGraph, readSources } from '../changes/graph.ts';
import type { SubgraphFile } from './composition-error.ts';
import { CompositionError } from './composition-error.ts';
import type { Version } from './repository.ts';

/** Both sides of a check. */
export interface Sides {
  readonly before: Graph;
  readonly after: Graph;
  /** The hints of composition that the base does not have. Default: none. */
  readonly addedHints?: readonly CompositionIssue[];
}

/**
 * Reads the graphs of two versions of the repository. The base's supergraph is the committed one; the changed one is
 * composed from the subgraphs' schemas, so that it is current without `pnpm compose`.
 *
 * @throws {CompositionError} with every error of composition
 * @throws {CommandError} for a file that cannot be read
 */
export function readVersions(base: Version, head: Version): Sides {
  const before = readSubgraphs(base);
  const after = readSubgraphs(head);
  const sdlBefore = base.read('supergraph.graphql');
  if (sdlBefore === undefined) {
    throw new CommandError(`Cannot read supergraph.graphql of ${base.name}: it is not there`);
  }
  const { sdlAfter, hints } = isSame(before, after) ? { sdlAfter: sdlBefore, hints: [] } : compose(after);
  const graphBefore = readGraph(sdlBefore, before);
  const graphAfter =
    sdlAfter === sdlBefore
      ? { supergraph: graphBefore.supergraph, sources: readSources(after) }
      : readGraph(sdlAfter, after);
  return {
    before: graphBefore,
    after: graphAfter,
    addedHints: hints.length === 0 ? hints : withoutHintsOf(before, hints),
  };
}

/**
 * Reads two supergraphs from files.
 *
 * @throws {CommandError} for a file that cannot be read as a supergraph
 */
export function readSupergraphFiles(baseFile: string, headFile: string): Sides {
  return { before: readGraphFile(baseFile), after: readGraphFile(headFile) };
}

function readGraphFile(file: string): Graph {
  const text = textOf(file);
  try {
    return readGraph(text);
  } catch (error) {
    throw error instanceof SupergraphError
      ? new CommandError(`Cannot read ${file}: ${error.message}`, { cause: error })
      : error;
  }
}

function isSame(before: readonly SubgraphFile[], after: readonly SubgraphFile[]): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

/** Hints are few: the base is composed only where the changed graph has any. */
function withoutHintsOf(
  subgraphs: readonly SubgraphFile[],
  hints: readonly CompositionIssue[],
): readonly CompositionIssue[] {
  const known = new Set(composeSupergraph(subgraphs).hints?.map(({ message }) => message));
  return hints.filter(({ message }) => !known.has(message));
}

interface Composed {
  readonly sdlAfter: string;
  readonly hints: readonly CompositionIssue[];
}

function compose(subgraphs: readonly SubgraphFile[]): Composed {
  const { supergraphSdl, hints, errors } = composeSupergraph(subgraphs);
  if (errors !== undefined) {
    const headline = `Cannot compose ${supergraphConfigFile}: ${counted(errors.length, 'error')}`;
    const at = { subject: 'graph', file: supergraphConfigFile };
    throw new CompositionError(headline, errors, at, subgraphs);
  }
  return { sdlAfter: `${supergraphSdl.trimEnd()}\n`, hints };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} is not there or not readable`, { cause: error });
  }
}

/** The file that says which subgraphs there are. */
export const supergraphConfigFile = 'supergraph.yaml';

/**
 * Reads the schemas of all subgraphs of a version.
 *
 * @throws {CommandError} for a supergraph.yaml or a schema that is not there
 */
function readSubgraphs({ name: version, read }: Version): readonly SubgraphFile[] {
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
