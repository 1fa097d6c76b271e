import type { GraphQLSchema } from 'graphql';

import type { OperationPlan, PlanStep } from '../plan/plan.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { ClientPath } from '../selections/client-path.ts';
import { createClientPath } from '../selections/client-path.ts';
import type { CompiledFetch } from '../slow-path/compile-fetch.ts';
import { compileFetch } from '../slow-path/compile-fetch.ts';
import type { WriteIntrospection } from '../selections/introspection.ts';
import { compileIntrospection } from '../selections/introspection.ts';
import type { OperationSource } from '../operation/operation-source.ts';
import type { FastPathPlan } from '../fast-path/compile-fast-path.ts';
import { compileFastPath } from '../fast-path/compile-fast-path.ts';
import type { WriteData } from '../slow-path/write-data.ts';
import { compileWriter } from '../slow-path/write-data.ts';

/** A plan, compiled once for all runs. */
export interface CompiledPlan {
  readonly plan: OperationPlan;
  /** The supergraph's. */
  readonly schema: GraphQLSchema;
  readonly root: CompiledStep | undefined;
  readonly clientPath: ClientPath;
  readonly writeIntrospection: WriteIntrospection;
  readonly writeData: WriteData;
  /** Absent where the plan always takes the slow path. */
  readonly fastPath: FastPathPlan | undefined;
}

export type CompiledStep =
  | { readonly kind: 'sequence' | 'parallel'; readonly steps: readonly CompiledStep[] }
  | CompiledFetch;

export function compilePlan(
  supergraph: Supergraph,
  plan: OperationPlan,
  source: OperationSource,
  path: 'fast' | 'slow' = 'fast',
): CompiledPlan {
  const { apiSchema, schema } = supergraph;
  const compileStep = (step: PlanStep): CompiledStep =>
    step.kind === 'fetch'
      ? compileFetch(schema, step)
      : { kind: step.kind, steps: step.steps.map(compileStep) };
  return {
    plan,
    schema,
    root: plan.root && compileStep(plan.root),
    clientPath: createClientPath(plan.selections),
    writeIntrospection: compileIntrospection(apiSchema, plan.selections, source),
    writeData: compileWriter(apiSchema, plan),
    fastPath: path === 'fast' ? compileFastPath(supergraph, plan) : undefined,
  };
}
