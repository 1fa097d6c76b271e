import type { SelectionNode } from 'graphql';
import { Kind } from 'graphql';

import { fieldsWhere } from '../operation/fields-where.ts';
import type { FetchStep, RequiredField } from '../plan/plan.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { isOfType } from '../supergraph/possible-types.ts';
import { sentTypename } from './sent-typename.ts';

/**
 * True when a fetch looks up the objects of a type: their representations have fields, or the type alone is a key,
 * `@key(fields: "__typename")`.
 */
export function isLookedUp(
  { schema, subgraphTypes }: Pick<Supergraph, 'schema' | 'subgraphTypes'>,
  { subgraph, requires = [], typenameRewrites }: FetchStep,
  typeName: string,
): boolean {
  const fields = fieldsWhere<RequiredField>(
    requires,
    (condition) => condition === undefined || isOfType(schema, typeName, condition),
  );
  if (fields.some(({ name }) => name !== '__typename')) {
    return true;
  }
  const keys = subgraphTypes.keysOf(subgraph, sentTypename(schema, typenameRewrites, typeName));
  return fields.length > 0 && keys.some(({ selections }) => selections.every(isTypename));
}

function isTypename(selection: SelectionNode): boolean {
  return selection.kind === Kind.FIELD && selection.name.value === '__typename';
}
