import { Kind } from 'graphql';
import type {
  ASTNode,
  DocumentNode,
  EnumTypeDefinitionNode,
  FieldDefinitionNode,
  InterfaceTypeDefinitionNode,
  InterfaceTypeExtensionNode,
  ObjectTypeDefinitionNode,
  ObjectTypeExtensionNode,
  ScalarTypeDefinitionNode,
  Source,
  TypeNode,
} from 'graphql';

import { sourceLocationOf } from './source-location.ts';
import type { Resolvers } from './resolvers.ts';

type ObjectTypeNode = ObjectTypeDefinitionNode | ObjectTypeExtensionNode;
type InterfaceTypeNode = InterfaceTypeDefinitionNode | InterfaceTypeExtensionNode;

/**
 * Compares a schema with its resolvers, and returns a sentence for each mismatch.
 *
 * A field needs a resolver when it is a root field, takes arguments, returns an object, or requires fields of other
 * subgraphs: without one it would be null, or fail at the first request. An entity needs `__resolveReference`. No other
 * type may have one: it would be a remnant of a removed `@key`.
 */
export function findResolverFaults<Loaders>(
  source: Source,
  document: DocumentNode,
  resolvers: Resolvers<Loaders>,
): string[] {
  const hasResolver = (type: string, member: string) => resolvers[type]?.[member] !== undefined;

  const objectTypes = document.definitions.filter(isObjectType);
  const leafTypes = new Set([
    ...builtInScalars,
    ...document.definitions.filter(isLeafType).map((type) => type.name.value),
  ]);
  const missing = objectTypes
    .flatMap((type) => (type.fields ?? []).map((field) => ({ type, field })))
    .filter(({ type, field }) => needsResolver(type, field, leafTypes))
    .filter(({ type, field }) => !hasResolver(type.name.value, field.name.value))
    .map(
      ({ type, field }) =>
        `${sourceLocationOf(source, field.name)} ${type.name.value}.${field.name.value} has no resolver`,
    );

  const unsubscribable = Object.entries(resolvers['Subscription'] ?? {})
    .filter(([, resolver]) => typeof resolver !== 'object')
    .map(([field]) => `${source.name} has Subscription.${field}, whose resolver has no subscribe`);

  const unreachable = objectTypes
    .filter((type) => isEntity(type) && !hasResolver(type.name.value, '__resolveReference'))
    .map((type) => {
      const name = type.name.value;
      const place = `${sourceLocationOf(source, type.name)} ${name}`;
      return resolvers[name] === undefined
        ? `${place} is an entity, and has no resolvers: add ${name} to the resolvers in src/app.ts, with a __resolveReference`
        : `${place} is an entity, and has no __resolveReference`;
    });

  const entities = new Set(
    document.definitions
      .filter((node) => isObjectType(node) || isInterfaceType(node))
      .filter(isEntity)
      .map((type) => type.name.value),
  );
  const unasked = Object.entries(resolvers)
    .filter(([type, members]) => members['__resolveReference'] !== undefined && !entities.has(type))
    .map(([type]) => `${source.name} has no @key on ${type}, for which there is a __resolveReference`);

  const members = new Set(document.definitions.flatMap(membersOf));
  const superfluous = Object.entries(resolvers)
    .flatMap(([type, resolversOfType]) => Object.keys(resolversOfType).map((member) => `${type}.${member}`))
    .filter((member) => !member.includes('.__') && !members.has(member))
    .map((member) => `${source.name} has no ${member}, for which there is a resolver`);

  return [...missing, ...unsubscribable, ...unreachable, ...unasked, ...superfluous];
}

const builtInScalars = ['Int', 'Float', 'String', 'Boolean', 'ID'];

const rootTypes = new Set(['Query', 'Mutation', 'Subscription']);

function needsResolver(
  type: ObjectTypeNode,
  field: FieldDefinitionNode,
  leafTypes: ReadonlySet<string>,
): boolean {
  const isRoot = rootTypes.has(type.name.value);
  const takesArguments = (field.arguments ?? []).length > 0;
  const requires = (field.directives ?? []).some((directive) => directive.name.value === 'requires');
  return isRoot || takesArguments || requires || !leafTypes.has(namedType(field.type));
}

/** True if other subgraphs may look up the type's objects by key: a `@key` is not `resolvable: false`. */
function isEntity(type: ObjectTypeNode | InterfaceTypeNode): boolean {
  const keys = (type.directives ?? []).filter((directive) => directive.name.value === 'key');
  return keys.some((key) => {
    const resolvable = key.arguments?.find((argument) => argument.name.value === 'resolvable')?.value;
    return resolvable?.kind !== Kind.BOOLEAN || resolvable.value;
  });
}

function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type);
}

function isObjectType(node: ASTNode): node is ObjectTypeNode {
  return node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.OBJECT_TYPE_EXTENSION;
}

function isInterfaceType(node: ASTNode): node is InterfaceTypeNode {
  return node.kind === Kind.INTERFACE_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_EXTENSION;
}

function isLeafType(node: ASTNode): node is ScalarTypeDefinitionNode | EnumTypeDefinitionNode {
  return node.kind === Kind.SCALAR_TYPE_DEFINITION || node.kind === Kind.ENUM_TYPE_DEFINITION;
}

/** The members of a type that can have a resolver, as `Type.member`. */
function membersOf(node: ASTNode): string[] {
  if (isObjectType(node)) {
    return (node.fields ?? []).map((field) => `${node.name.value}.${field.name.value}`);
  }
  if (node.kind === Kind.ENUM_TYPE_DEFINITION) {
    return (node.values ?? []).map((value) => `${node.name.value}.${value.name.value}`);
  }
  return [];
}
