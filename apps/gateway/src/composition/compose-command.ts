import process from 'node:process';

import type { SubgraphSchema, SubgraphSource } from '@meridian/composition';
import { composeSupergraph, describeIssue, loadSubgraph, parseSources } from '@meridian/composition';
import { writeGenerated } from '@meridian/composition/commands/generated-file';
import { systemError } from '@meridian/composition/commands/system-error';
import type { Command } from '@meridian/settings/command-line';
import { CommandError, counted, readArgs } from '@meridian/settings/command-line';

import { readFile } from '../commands/read-file.ts';

const options = { out: { type: 'string' } } as const;

interface ComposeCall {
  /** supergraph.yaml. */
  readonly file: string;
  readonly text: string;
  readonly out: string | undefined;
}

/** The command that composes a supergraph from a supergraph.yaml, without Rover and without a network of its own. */
export function composeCommand(name: string): Command<ComposeCall> {
  return {
    name,
    help: `Usage: ${name} <supergraph.yaml> [--out <file>]

Composes subgraphs into a supergraph. The file is Rover's:

  federation_version: 2
  subgraphs:
    books:                                  # the schema is in a file
      routing_url: http://localhost:4171/
      schema: { file: books.graphql }
    reviews:                                # the running subgraph has it
      schema: { subgraph_url: http://localhost:4172/ }

  --out <file>  where the supergraph goes (standard output)
  --help        print this

Exit code: 0 when the subgraphs compose, 1 when not, 2 for a wrong call.
`,
    read(args) {
      const {
        flags: { out },
        others: [file = ''],
      } = readArgs(args, options, ['<supergraph.yaml>']);
      return { file, text: readFile(file), out };
    },
    run: compose,
    lineFor: systemError,
  };
}

async function compose({ file, text, out }: ComposeCall): Promise<void> {
  const sources = parseSources(text, { file, env: process.env });
  const subgraphs = await loadAll(sources, file);
  const { supergraphSdl, hints = [], errors = [] } = composeSupergraph(subgraphs);
  const files = new Map(
    sources.flatMap(({ name, schema }) => ('file' in schema ? [[name, schema.file] as const] : [])),
  );
  const sdls = new Map(subgraphs.map(({ name, sdl }) => [name, sdl]));
  if (supergraphSdl === undefined) {
    const described = errors.map((error) => describeIssue(error, files, sdls));
    throw cannotCompose(file, described);
  }
  for (const hint of hints) {
    process.stderr.write(`Hint: ${describeIssue(hint, files, sdls)}\n`);
  }
  const supergraph = `${supergraphSdl.trimEnd()}\n`;
  if (out === undefined) {
    process.stdout.write(supergraph);
  } else {
    const outcome = writeGenerated({ path: out, text: supergraph });
    process.stdout.write(`${out}: ${outcome}, of ${subgraphs.map(({ name }) => name).join(', ')}\n`);
  }
}

/** @throws {CommandError} which names each schema that cannot be loaded */
async function loadAll(sources: readonly SubgraphSource[], file: string): Promise<readonly SubgraphSchema[]> {
  const loads = await Promise.allSettled(sources.map(loadSubgraph));
  const faults = loads.flatMap((load) => {
    if (load.status === 'fulfilled') {
      return [];
    }
    if (!(load.reason instanceof CommandError)) {
      throw load.reason;
    }
    return [load.reason.message];
  });
  if (faults.length > 0) {
    throw cannotCompose(file, faults);
  }
  return loads.flatMap((load) => (load.status === 'fulfilled' ? [load.value] : []));
}

function cannotCompose(file: string, faults: readonly string[]): CommandError {
  return new CommandError(
    [`Cannot compose ${file}: ${counted(faults.length, 'error')}`, ...faults].join('\n\n'),
  );
}
