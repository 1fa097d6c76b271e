import { getNamedType, isNonNullType, isObjectType, isUnionType, Kind, TypeNameMetaFieldDef } from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  GraphQLField,
  GraphQLObjectType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';

import type { SubgraphContext } from '../context.ts';
import { guardsOf } from '../guards/guard-fields.ts';
import { canCompile } from './can-compile.ts';
import { collectFields } from './collect-fields.ts';
import type { CompileScope } from './collect-fields.ts';
import type { CompiledField, CompiledSelection, Complete, Resolve } from './compiled.ts';
import { compileCompletion } from './complete-value.ts';
import { completeEntity, resolveEntities } from './entities.ts';
import { readProperty } from './read-property.ts';
import { runFields } from './run-fields.ts';

/** Compiles a query that was validated. Undefined for an operation that is left to graphql-js. */
export function compileQuery(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CompiledSelection | undefined {
  const root = schema.getQueryType();
  if (root === undefined || root === null || !canCompile(schema, document, operation)) {
    return undefined;
  }
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  return compileSelection(root, [operation.selectionSet], {
    schema,
    fragments: new Map(fragments.map((fragment) => [fragment.name.value, fragment])),
  });
}

function compileSelection(
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
  scope: CompileScope,
): CompiledSelection {
  return [...collectFields(type, selectionSets, scope)].map(([responseKey, nodes]) =>
    compileField(type, responseKey, nodes, scope),
  );
}

function compileField(
  parent: GraphQLObjectType,
  responseKey: string,
  nodes: readonly [FieldNode, ...FieldNode[]],
  scope: CompileScope,
): CompiledField {
  const { value: name } = nodes[0].name;
  const definition = name === TypeNameMetaFieldDef.name ? TypeNameMetaFieldDef : parent.getFields()[name];
  if (definition === undefined) {
    throw new Error(`${parent.name} has no field ${name}`);
  }
  const named = getNamedType(definition.type);
  const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const compileMembers = (type: GraphQLObjectType) => compileSelection(type, selectionSets, scope);

  const complete = isUnionType(named)
    ? completeEntity(new Map(named.getTypes().map((type) => [type.name, compileMembers(type)])))
    : isObjectType(named)
      ? completeObject(compileMembers(named))
      : neverAnObject;
  return {
    responseKey,
    nodes,
    definition,
    resolve: isUnionType(named)
      ? resolveEntities(scope.schema, guardsOf({ type: parent, field: definition }, scope.schema))
      : resolverOf(definition, parent),
    isNullable: !isNonNullType(definition.type),
    complete: compileCompletion(definition.type, { name: `${parent.name}.${name}`, nodes }, complete),
  };
}

function resolverOf(
  { name, resolve }: GraphQLField<unknown, SubgraphContext<unknown>>,
  parent: GraphQLObjectType,
): Resolve {
  if (name === TypeNameMetaFieldDef.name) {
    return () => parent.name;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Resolvers` lets nobody write one that takes a fourth parameter
  return (resolve as Resolve | undefined) ?? readProperty(name);
}

function completeObject(selection: CompiledSelection): Complete {
  return (value, run, above, key) => runFields(selection, value, run, { above, key });
}

const neverAnObject: Complete = () => {
  throw new Error('A leaf was completed as an object');
};
