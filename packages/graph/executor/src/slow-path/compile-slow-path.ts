import type { GraphQLSchema } from 'graphql';

import type { ParsedOperation } from '../operation/operation.ts';
import type { SelectionSet } from '../operation/selection.ts';
import type { OperationPlan } from '../plan/plan.ts';
import type { ClientPath } from '../selections/client-path.ts';
import { createClientPath } from '../selections/client-path.ts';
import type { WriteIntrospection } from '../selections/introspection.ts';
import { compileIntrospection } from '../selections/introspection.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { DataWriters } from './write-data.ts';
import { compileWriter } from './write-data.ts';

/** A plan compiled for responses of any form: they are parsed to objects, and the data is written from these. */
export interface SlowPathPlan extends DataWriters {
  /** The supergraph's. */
  readonly schema: GraphQLSchema;
  readonly clientPath: ClientPath;
  readonly writeIntrospection: WriteIntrospection;
  readonly selections: SelectionSet;
}

export function compileSlowPath(
  supergraph: Supergraph,
  plan: OperationPlan,
  source: ParsedOperation,
): SlowPathPlan {
  const { schema, apiSchema } = supergraph;
  return {
    schema,
    clientPath: createClientPath(plan.selections),
    writeIntrospection: compileIntrospection(apiSchema, plan.selections, source),
    selections: plan.selections,
    ...compileWriter(supergraph, plan),
  };
}
