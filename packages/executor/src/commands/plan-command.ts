import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { GraphQLError, parse, validate } from 'graphql';

import { createExecutor } from '../executor.ts';
import { explainPlan } from '../explain/explain-plan.ts';
import { findLabels } from '../operation/labels.ts';
import { OperationError } from '../operation/operation.ts';
import type { OperationPlan } from '../plan/plan.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { loadSupergraph } from '../supergraph/load-supergraph.ts';
import { SupergraphError } from '../supergraph/supergraph-error.ts';

const help = `Usage: pnpm plan <file> [flags]

Shows the plan of an operation: what is fetched from which subgraph, for what, and in which order.

  <file>               the operation, with the fragments that it spreads
  --operation <name>   which operation of the file; needed where it has several
  --variables <json>   what @skip and @include depend on, as in '{"withReviews": true}'
  --label <label>      sets a label of @override(label:); may be given again. Without it
                       percent(n) is not set either, but for percent(100)
  --supergraph <file>  the composed supergraph (supergraph.graphql)
  --mermaid            a Mermaid flowchart instead of text
  --help               print this

Exit code: 0 when there is a plan, 1 when not, 2 for a wrong call or a file that is missing.`;

const options = {
  operation: { type: 'string' },
  variables: { type: 'string', default: '{}' },
  label: { type: 'string', multiple: true },
  supergraph: { type: 'string', default: 'supergraph.graphql' },
  mermaid: { type: 'boolean', default: false },
} as const;

/** The output and the exit code of a command. */
export interface CommandOutcome {
  readonly exitCode: 0 | 1 | 2;
  readonly text: string;
}

/**
 * Shows the plan of an operation, as `help` says. It behaves like commands of `@meridian/command-line`, which
 * it does not import: this package is packed without the others.
 */
export async function runPlanCommand(args: readonly string[]): Promise<CommandOutcome> {
  if (args.includes('--help') || args.includes('-h')) {
    return { exitCode: 0, text: help };
  }
  let called: ReturnType<typeof readArgs>;
  try {
    called = readArgs(args);
  } catch (error) {
    return { exitCode: 2, text: `${faultOf(error)}: see pnpm plan --help` };
  }
  const { file, flags } = called;
  try {
    const { plan, labels } = await planOf(file, flags);
    const { text, flowchart, fetchCount, roundCount } = explainPlan(plan);
    const counts = `${counted(fetchCount, 'fetch', 'fetches')} in ${counted(roundCount, 'round', 'rounds')}`;
    const summary = [counts, ...labels].join('\n');
    return { exitCode: 0, text: flags.mermaid ? flowchart : `${summary}\n\n${text}` };
  } catch (error) {
    if (!isMendable(error)) {
      throw error;
    }
    return { exitCode: error instanceof UnreadableFile ? 2 : 1, text: error.message };
  }
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

type Flags = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

function readArgs(args: readonly string[]): { readonly file: string; readonly flags: Flags } {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [file, another] = positionals;
  if (file === undefined || another !== undefined) {
    throw new TypeError(file === undefined ? '<file> is missing' : `Unexpected argument '${another}'`);
  }
  return { file, flags: values };
}

/** The fault of a call, without the advice that Node adds. */
function faultOf(error: unknown): string {
  const [fault = ''] = (error instanceof Error ? error.message : String(error)).split(/\. |\.?\n/u);
  return fault;
}

interface LabelledPlan {
  readonly plan: OperationPlan;
  /** A line for each label that the plan depends on. */
  readonly labels: readonly string[];
}

/** The draw for each percentage: it enables `percent(100)` only. */
const largestDraw = (): number => 1 - Number.EPSILON;

async function planOf(file: string, flags: Flags): Promise<LabelledPlan> {
  const supergraph = loadSupergraph(textOf(flags.supergraph));
  const document = parse(textOf(file));
  const [invalid] = validate(supergraph.apiSchema, document);
  if (invalid !== undefined) {
    throw invalid;
  }
  const given = readLabels(flags.label ?? [], supergraph);
  const transport = { send: () => Promise.reject(new Error('A plan is not run')) };
  const plan = await createExecutor({ supergraph, transport, random: largestDraw })
    .prepare({ document, name: flags.operation })
    .plan(readVariables(flags.variables), given);
  const labels = findLabels(document, supergraph.overrideLabels);
  const set = new Set(labels.setIn(given, largestDraw));
  return { plan, labels: labels.names.map((name) => `label ${name}: ${set.has(name) ? 'set' : 'not set'}`) };
}

function readLabels(labels: readonly string[], { overrideLabels }: Supergraph): ReadonlySet<string> {
  const unknown = labels.find((label) => !overrideLabels.has(label));
  if (unknown !== undefined) {
    const known = [...overrideLabels.keys()].join(', ');
    throw new OperationError(
      `--label takes a label of the supergraph (${known === '' ? 'it has none' : known}), not ${unknown}`,
    );
  }
  return new Set(labels);
}

class UnreadableFile extends Error {}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UnreadableFile(`${file} is not there or not readable`, { cause: error });
  }
}

function readVariables(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new OperationError(`--variables takes a JSON object, not ${text}`, { cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new OperationError(`--variables takes a JSON object, not ${text}`);
  }
  return { ...value };
}

/** True for errors that the user of the command can fix. */
function isMendable(error: unknown): error is Error {
  return (
    error instanceof OperationError ||
    error instanceof SupergraphError ||
    error instanceof GraphQLError ||
    error instanceof UnreadableFile
  );
}
