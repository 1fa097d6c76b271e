import type { Supergraph } from '@meridian/executor';
import type { ConstDirectiveNode, GraphQLSchema } from 'graphql';
import { getArgumentValues, isEnumType, valueFromASTUntyped } from 'graphql';

/** A part of a schema to which directives may be applied. */
export interface Annotated {
  readonly astNode?: { readonly directives?: readonly ConstDirectiveNode[] | undefined } | null | undefined;
}

/** The uses of one directive, each as the values of its arguments. */
export type ReadDirective = (element: Annotated) => readonly Readonly<Record<string, unknown>>[];

/** Identifies a directive: by the whole identity of its specification, or by that specification's name on any host. */
export type DirectiveOrigin = ({ readonly identity: string } | { readonly feature: string }) & {
  readonly directive: string;
};

/** Reads a directive's uses in a supergraph, under any name that the supergraph links it by. */
export function readerOf(supergraph: Supergraph, origin: DirectiveOrigin): ReadDirective {
  const feature = supergraph.features.find(({ identity, name }) =>
    'identity' in origin ? identity === origin.identity : name === origin.feature,
  );
  const definition = feature && supergraph.schema.getDirective(feature.directiveName(origin.directive));
  if (definition === undefined || definition === null) {
    return () => [];
  }
  return (element) =>
    (element.astNode?.directives ?? [])
      .filter(({ name }) => name.value === definition.name)
      .map((use) => getArgumentValues(definition, use));
}

/** The arguments of each directive with a name. */
export function joinedDirectives(
  name: string,
  directives: readonly ConstDirectiveNode[] = [],
): readonly Readonly<Record<string, unknown>>[] {
  return directives
    .filter((directive) => directive.name.value === name)
    .map(({ arguments: list = [] }) =>
      Object.fromEntries(list.map((given) => [given.name.value, valueFromASTUntyped(given.value)])),
    );
}

/** The subgraphs of a supergraph by name, each with its value in `join__` directives. */
export function subgraphValues(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const graphs = schema.getType('join__Graph');
  const values = isEnumType(graphs) ? graphs.getValues() : [];
  return new Map(
    values.map(({ name: value, astNode }): [string, string] => {
      const [joined] = joinedDirectives('join__graph', astNode?.directives);
      const name = joined?.['name'];
      return [typeof name === 'string' ? name : value, value];
    }),
  );
}
