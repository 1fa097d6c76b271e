// Spec: GraphQL, "Field Collection", done once for each query.
import { isAbstractType, Kind } from 'graphql';
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLObjectType,
  GraphQLSchema,
  NamedTypeNode,
  SelectionSetNode,
} from 'graphql';

/** What a query is compiled with. */
export interface CompileScope {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** The fields that selection sets select of an object type, by response key, in the order of the answer. */
export function collectFields(
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
  scope: CompileScope,
): ReadonlyMap<string, readonly [FieldNode, ...FieldNode[]]> {
  const nodesByKey = new Map<string, [FieldNode, ...FieldNode[]]>();
  const spread = new Set<string>();
  const collect = (selectionSet: SelectionSetNode): void => {
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        const nodes = nodesByKey.get(key);
        if (nodes === undefined) {
          nodesByKey.set(key, [selection]);
        } else {
          nodes.push(selection);
        }
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (applies(selection.typeCondition, type, scope)) {
          collect(selection.selectionSet);
        }
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = scope.fragments.get(selection.name.value);
        if (fragment !== undefined && applies(fragment.typeCondition, type, scope)) {
          collect(fragment.selectionSet);
        }
      }
    }
  };
  selectionSets.forEach(collect);
  return nodesByKey;
}

function applies(
  condition: NamedTypeNode | undefined,
  type: GraphQLObjectType,
  { schema }: CompileScope,
): boolean {
  if (condition === undefined || condition.name.value === type.name) {
    return true;
  }
  const named = schema.getType(condition.name.value);
  return isAbstractType(named) && schema.isSubType(named, type);
}
