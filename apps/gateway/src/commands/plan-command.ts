import process from 'node:process';

import type { Supergraph } from '@meridian/executor';
import { OperationError, SupergraphError, explainOperation, loadSupergraph } from '@meridian/executor';
import type { Command, Flags } from '@meridian/settings/command-line';
import { CommandError, counted, readArgs } from '@meridian/settings/command-line';

import { withDefer } from '../supergraph/defer-directive.ts';
import { readFile } from './read-file.ts';

const options = {
  operation: { type: 'string' },
  variables: { type: 'string', default: '{}' },
  label: { type: 'string', multiple: true },
  supergraph: { type: 'string', default: 'supergraph.graphql' },
  mermaid: { type: 'boolean', default: false },
} as const;

/** The command that shows the plan of an operation. */
export function planCommand(name: string): Command<PlanCall> {
  return {
    name,
    help: `Usage: ${name} <file> [flags]

Shows the plan of an operation: what is fetched from which subgraph, for what, and in which order.

  <file>               the operation, with the fragments that it spreads
  --operation <name>   which operation of the file; needed where it has several
  --variables <json>   what @skip, @include and @defer depend on, as in '{"withReviews": true}'
  --label <label>      sets a label of @override(label:); may be given again. Without it
                       percent(n) is not set either, but for percent(100)
  --supergraph <file>  the composed supergraph (supergraph.graphql)
  --mermaid            a Mermaid flowchart instead of text
  --help               print this

Exit code: 0 when there is a plan, 1 when not, 2 for a wrong call or a file that is missing.`,
    read(args) {
      const {
        flags,
        others: [file = ''],
      } = readArgs(args, options, ['<file>']);
      return { ...flags, sdl: readFile(flags.supergraph), text: readFile(file) };
    },
    run: showPlan,
    lineFor: (error) =>
      error instanceof OperationError || error instanceof SupergraphError ? error.message : undefined,
  };
}

interface PlanCall extends Flags<typeof options> {
  /** Of the supergraph. */
  readonly sdl: string;
  /** Of the operation. */
  readonly text: string;
}

async function showPlan({ sdl, text, operation, variables, label = [], mermaid }: PlanCall): Promise<void> {
  const loaded = loadSupergraph(sdl);
  const supergraph = { ...loaded, apiSchema: withDefer(loaded.apiSchema) };
  const plan = await explainOperation(supergraph, {
    text,
    name: operation,
    variables: readVariables(variables),
    labels: readLabels(label, supergraph),
  });
  const summary = [
    `${counted(plan.fetchCount, 'fetch', 'fetches')} in ${counted(plan.roundCount, 'round')}`,
    ...Array.from(plan.labels, ([name, isSet]) => `label ${name}: ${isSet ? 'set' : 'not set'}`),
  ];
  process.stdout.write(mermaid ? `${plan.flowchart}\n` : `${summary.join('\n')}\n\n${plan.text}\n`);
}

function readLabels(labels: readonly string[], { overrideLabels }: Supergraph): ReadonlySet<string> {
  const unknown = labels.find((label) => !overrideLabels.has(label));
  if (unknown !== undefined) {
    const known = [...overrideLabels].join(', ');
    throw new CommandError(
      `--label takes a label of the supergraph (${known === '' ? 'it has none' : known}), not ${unknown}`,
    );
  }
  return new Set(labels);
}

function readVariables(text: string): Readonly<Record<string, unknown>> {
  const fault = `--variables takes a JSON object, not ${text}`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CommandError(fault, { cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError(fault);
  }
  return { ...value };
}
