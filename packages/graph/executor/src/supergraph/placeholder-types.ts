// An interface that no type implements yet can have objects nevertheless: its interface objects. The planner fails on them,
// as it takes the types of an interface for all that its objects can be. Here such an interface gets a placeholder type.
// The subgraphs of the interface look it up by the interface's keys, whether or not these are resolvable: the planner also
// fails on objects of which no other subgraph can know more. Only the planner sees the type: no object has it, and a plan
// that asks one of these subgraphs for it is rejected.
import type {
  ConstDirectiveNode,
  DocumentNode,
  FieldDefinitionNode,
  InterfaceTypeDefinitionNode,
  NameNode,
  ObjectTypeDefinitionNode,
} from 'graphql';
import { Kind } from 'graphql';

import { nameNode } from '../operation/graphql-document.ts';
import { argumentOf, booleanArgument } from './join-directives.ts';
import { unusedPrefix } from './unused-prefix.ts';

/** The interface of each placeholder type, by name. */
export type Placeholders = ReadonlyMap<string, string>;

/** Adds a type to each interface that has interface objects and no types; the same document where there is none. */
export function addPlaceholderTypes(document: DocumentNode): {
  readonly document: DocumentNode;
  readonly placeholders: Placeholders;
} {
  const { definitions } = document;
  const implemented = new Set(
    definitions.flatMap((definition) =>
      definition.kind === Kind.OBJECT_TYPE_DEFINITION
        ? (definition.interfaces ?? []).map(({ name }) => name.value)
        : [],
    ),
  );
  const untyped = definitions.filter(
    (definition): definition is InterfaceTypeDefinitionNode =>
      definition.kind === Kind.INTERFACE_TYPE_DEFINITION &&
      !implemented.has(definition.name.value) &&
      definition.directives?.some(isOfInterfaceObject) === true,
  );
  if (untyped.length === 0) {
    return { document, placeholders: new Map() };
  }
  const names = definitions.flatMap((definition) =>
    'name' in definition && definition.name !== undefined ? [definition.name.value] : [],
  );
  const prefix = unusedPrefix('', names);
  const changed = new Map(
    untyped.map((definition) => [definition.name.value, withResolvableKeys(definition)]),
  );
  const added = Array.from(changed.values(), (definition, index) =>
    placeholderOf(definition, nameNode(`${prefix}${index}`)),
  );
  const placeholders = new Map(
    untyped.map((definition, index) => [`${prefix}${index}`, definition.name.value]),
  );
  const others = definitions.map((definition) =>
    definition.kind === Kind.INTERFACE_TYPE_DEFINITION
      ? (changed.get(definition.name.value) ?? definition)
      : definition,
  );
  return { document: { ...document, definitions: [...others, ...added] }, placeholders };
}

function withResolvableKeys(definition: InterfaceTypeDefinitionNode): InterfaceTypeDefinitionNode {
  return { ...definition, directives: (definition.directives ?? []).map(withResolvableKey) };
}

function withResolvableKey(directive: ConstDirectiveNode): ConstDirectiveNode {
  return directive.name.value === 'join__type' && !isOfInterfaceObject(directive)
    ? {
        ...directive,
        arguments: (directive.arguments ?? []).filter(({ name }) => name.value !== 'resolvable'),
      }
    : directive;
}

/** A type as composition writes one that implements an interface in each subgraph that has the interface. */
function placeholderOf(
  { name: interfaceName, interfaces = [], directives = [], fields = [] }: InterfaceTypeDefinitionNode,
  name: NameNode,
): ObjectTypeDefinitionNode {
  const joins = directives.filter(
    (directive) => directive.name.value === 'join__type' && !isOfInterfaceObject(directive),
  );
  const graphs = new Set(joins.map(graphOf));
  return {
    kind: Kind.OBJECT_TYPE_DEFINITION,
    name,
    interfaces: [{ kind: Kind.NAMED_TYPE, name: interfaceName }, ...interfaces],
    directives: [
      ...Array.from(graphs, (graph) => implementing(graph, interfaceName.value)),
      ...directives.filter((directive) => directive.name.value === 'join__implements'),
      ...joins,
    ],
    fields: fields.map((field) => fieldIn(graphs, field)),
  };
}

/** A field of a type has no subgraph where only interface objects have it. */
function fieldIn(graphs: ReadonlySet<string>, field: FieldDefinitionNode): FieldDefinitionNode {
  const joins = (field.directives ?? []).filter((directive) => directive.name.value === 'join__field');
  const own = joins.filter((directive) => graphs.has(graphOf(directive)));
  const bare: ConstDirectiveNode = { kind: Kind.DIRECTIVE, name: nameNode('join__field') };
  return { ...field, directives: joins.length > 0 && own.length === 0 ? [bare] : own };
}

function implementing(graph: string, interfaceName: string): ConstDirectiveNode {
  return {
    kind: Kind.DIRECTIVE,
    name: nameNode('join__implements'),
    arguments: [
      { kind: Kind.ARGUMENT, name: nameNode('graph'), value: { kind: Kind.ENUM, value: graph } },
      {
        kind: Kind.ARGUMENT,
        name: nameNode('interface'),
        value: { kind: Kind.STRING, value: interfaceName },
      },
    ],
  };
}

function isOfInterfaceObject(directive: ConstDirectiveNode): boolean {
  return directive.name.value === 'join__type' && booleanArgument(directive, 'isInterfaceObject') === true;
}

function graphOf(directive: ConstDirectiveNode): string {
  const value = argumentOf(directive, 'graph');
  return value?.kind === Kind.ENUM ? value.value : '';
}
