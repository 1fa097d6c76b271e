import { GraphQLError, parse, validate } from 'graphql';

import { createExecutor } from '../executor.ts';
import { findLabels } from '../operation/labels.ts';
import { OperationError } from '../operation/operation.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { PlanExplanation } from './explain-plan.ts';
import { explainPlan } from './explain-plan.ts';

/** An operation, and the values that its plan depends on. */
export interface OperationInput {
  /** The document. */
  readonly text: string;
  /** Needed where the document has several operations. */
  readonly name: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The labels of `@override` that are set. */
  readonly labels: ReadonlySet<string>;
}

export interface OperationExplanation extends PlanExplanation {
  /** The labels that the plan depends on: true for each that is set. */
  readonly labels: ReadonlyMap<string, boolean>;
}

/** The draw for each percentage: it enables `percent(100)` only. */
const maxDraw = (): number => 1 - Number.EPSILON;

/**
 * Explains the plan of an operation, without running it. Fragments are deferred where the API schema has `@defer`.
 *
 * @throws {OperationError} for an operation that does not parse, does not fit the supergraph, or cannot be planned
 */
export async function explainOperation(
  supergraph: Supergraph,
  input: OperationInput,
): Promise<OperationExplanation> {
  try {
    return await explain(supergraph, input);
  } catch (error) {
    throw error instanceof GraphQLError ? new OperationError(error.message, { cause: error }) : error;
  }
}

async function explain(
  supergraph: Supergraph,
  { text, name, variables, labels: given }: OperationInput,
): Promise<OperationExplanation> {
  const document = parse(text);
  const [invalid] = validate(supergraph.apiSchema, document);
  if (invalid !== undefined) {
    throw invalid;
  }
  const transport = { send: () => Promise.reject(new Error('A plan is not run')) };
  const isDeferring = supergraph.apiSchema.getDirective('defer') !== undefined;
  const plan = await createExecutor({ supergraph, transport, random: maxDraw, isDeferring })
    .prepare({ document, name })
    .plan(variables, given);
  const labels = findLabels(document, supergraph);
  const set = new Set(labels.setIn(given, maxDraw));
  return { ...explainPlan(plan), labels: new Map(labels.names.map((label) => [label, set.has(label)])) };
}
