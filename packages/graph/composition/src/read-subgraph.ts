import type { FederationMetadata, Subgraph } from '@apollo/federation-internals';
import { buildSubgraph } from '@apollo/federation-internals';
import type { GraphQLSchema, SelectionSetNode } from 'graphql';
import { Kind, parse } from 'graphql';

/** A subgraph, as a gateway asks it. */
export interface SubgraphInterface {
  /** With `_entities`. */
  readonly schema: GraphQLSchema;
  /** The keys by which it resolves entities of a type. */
  keysOf(typeName: string): readonly SelectionSetNode[];
  /** The field set of the `@requires` of a field, `Type.field`. */
  requirementOf(coordinate: string): SelectionSetNode | undefined;
  /** The field set of its `@provides`. */
  provisionOf(coordinate: string): SelectionSetNode | undefined;
  isExternal(coordinate: string): boolean;
}

/**
 * Reads a subgraph's schema.
 *
 * @throws {GraphQLError} for one that composition refuses
 */
export function readSubgraph(name: string, sdl: string): SubgraphInterface {
  const subgraph = buildSubgraph(name, `http://${name}`, sdl);
  const metadata = subgraph.metadata();
  const keys = new Map<string, SelectionSetNode[]>();
  for (const key of metadata.keyDirective().applications()) {
    const { fields, resolvable = true } = key.arguments();
    const type = coordinateOf(key.parent);
    if (resolvable) {
      keys.set(type, [...(keys.get(type) ?? []), fieldSet(fields)]);
    }
  }
  const requirements = fieldSets(metadata.requiresDirective());
  const provisions = fieldSets(metadata.providesDirective());
  const external = externalFields(subgraph, metadata);
  return {
    schema: subgraph.schema.toGraphQLJSSchema(),
    keysOf: (typeName) => keys.get(typeName) ?? [],
    requirementOf: (coordinate) => requirements.get(coordinate),
    provisionOf: (coordinate) => provisions.get(coordinate),
    isExternal: (coordinate) => external.has(coordinate),
  };
}

type FieldSetDirective = ReturnType<FederationMetadata['requiresDirective']>;

function fieldSets(directive: FieldSetDirective): ReadonlyMap<string, SelectionSetNode> {
  return new Map(
    Array.from(directive.applications(), (applied) => [
      coordinateOf(applied.parent),
      fieldSet(applied.arguments().fields),
    ]),
  );
}

/** Of a type or a field: the only elements that have such directives. */
function coordinateOf(element: object): string {
  return 'coordinate' in element && typeof element.coordinate === 'string' ? element.coordinate : '';
}

/** The text of a field set has no braces around it. */
function fieldSet(text: unknown): SelectionSetNode {
  const [definition] = parse(`{ ${String(text)} }`).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) {
    throw new TypeError('A field set is not a selection set');
  }
  return definition.selectionSet;
}

function externalFields({ schema }: Subgraph, metadata: FederationMetadata): ReadonlySet<string> {
  const external = new Set<string>();
  for (const type of [...schema.objectTypes(), ...schema.interfaceTypes()]) {
    for (const field of type.fields()) {
      if (metadata.isFieldExternal(field)) {
        external.add(field.coordinate);
      }
    }
  }
  return external;
}
