import type {
  ASTNode,
  DefinitionNode,
  DocumentNode,
  EnumTypeDefinitionNode,
  FieldDefinitionNode,
  InputObjectTypeDefinitionNode,
  InputValueDefinitionNode,
  TypeNode,
} from 'graphql';
import { Kind, parse, parseType, print, visit } from 'graphql';

/** Edits a subgraph's schema at random: removes, renames, retypes or adds an element of a type, an input or an enum. */
export function randomEdit(sdl: string, random: () => number): string {
  const document = parse(sdl);
  const places = placesIn(document);
  const kinds = [...places.keys()];
  const kind = pick(kinds, random);
  const target = kind && pick(places.get(kind) ?? [], random);
  const edited: DocumentNode =
    target === undefined
      ? document
      : visit(document, {
          FieldDefinition: (node) => (node === target ? pick(fieldEdits, random)?.(node, random) : undefined),
          InputObjectTypeDefinition: (node) =>
            node === target ? pick(inputEdits, random)?.(node, random) : undefined,
          EnumTypeDefinition: (node) =>
            node === target ? pick(enumEdits, random)?.(node, random) : undefined,
        });
  return print({ ...edited, definitions: edited.definitions.filter(hasFields) });
}

type EditField = (field: FieldDefinitionNode, random: () => number) => FieldDefinitionNode | null;
type EditInput = (
  input: InputObjectTypeDefinitionNode,
  random: () => number,
) => InputObjectTypeDefinitionNode;
type EditEnum = (node: EnumTypeDefinitionNode, random: () => number) => EnumTypeDefinitionNode;

const scalars = ['Int', 'Float', 'String', 'Boolean', 'ID'];

const fieldEdits: readonly EditField[] = [
  () => null,
  (field) => renamed(field, `${field.name.value}2`),
  (field) => retyped(field, otherNullability(field.type)),
  (field, random) => retyped(field, parseType(pick(scalars, random) ?? 'Int')),
  (field) => withArgument(field, 'extra: Int'),
  (field) => withArgument(field, 'extra: Int!'),
  (field) => ({ ...field, arguments: (field.arguments ?? []).slice(1) }),
  (field) => {
    const [first, ...others] = field.arguments ?? [];
    return first === undefined
      ? field
      : { ...field, arguments: [{ ...first, type: parseType('String!') }, ...others] };
  },
  (field) => ({ ...field, directives: [] }),
];

const inputEdits: readonly EditInput[] = [
  (input, random) => ({ ...input, fields: without(input.fields, random) }),
  (input, random) =>
    editedField(input, random, (field) => ({ ...field, type: otherNullability(field.type) })),
  (input, random) => editedField(input, random, (field) => ({ ...field, type: parseType('String!') })),
  (input) => ({ ...input, fields: [...(input.fields ?? []), ...inputFields('extra: Int')] }),
  (input) => ({ ...input, fields: [...(input.fields ?? []), ...inputFields('extra: Int!')] }),
];

const enumEdits: readonly EditEnum[] = [
  (node, random) => ({ ...node, values: without(node.values, random) }),
  (node) => ({
    ...node,
    values: [
      ...(node.values ?? []),
      { kind: Kind.ENUM_VALUE_DEFINITION, name: { kind: Kind.NAME, value: 'EXTRA' } },
    ],
  }),
];

function pick<Value>(values: readonly Value[], random: () => number): Value | undefined {
  return values[Math.floor(random() * values.length)];
}

function without<Node>(nodes: readonly Node[] = [], random: () => number): readonly Node[] {
  const removed = pick(nodes, random);
  return nodes.filter((node) => node !== removed);
}

function editedField(
  input: InputObjectTypeDefinitionNode,
  random: () => number,
  edit: (field: InputValueDefinitionNode) => InputValueDefinitionNode,
): InputObjectTypeDefinitionNode {
  const target = pick(input.fields ?? [], random);
  return { ...input, fields: (input.fields ?? []).map((field) => (field === target ? edit(field) : field)) };
}

function renamed(field: FieldDefinitionNode, name: string): FieldDefinitionNode {
  return { ...field, name: { kind: Kind.NAME, value: name } };
}

function retyped(field: FieldDefinitionNode, type: TypeNode): FieldDefinitionNode {
  return { ...field, type };
}

function otherNullability(type: TypeNode): TypeNode {
  return type.kind === Kind.NON_NULL_TYPE ? type.type : { kind: Kind.NON_NULL_TYPE, type };
}

function withArgument(field: FieldDefinitionNode, text: string): FieldDefinitionNode {
  return { ...field, arguments: [...(field.arguments ?? []), ...inputFields(text)] };
}

function inputFields(text: string): readonly InputValueDefinitionNode[] {
  const [definition] = parse(`input I { ${text} }`).definitions;
  return definition?.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION ? (definition.fields ?? []) : [];
}

/**
 * The nodes that an edit can be of, by their kind: fields are picked more often than the rest, of which there is
 * little.
 */
function placesIn({ definitions }: DocumentNode): ReadonlyMap<string, readonly ASTNode[]> {
  const fields = definitions.flatMap((definition) =>
    definition.kind === Kind.OBJECT_TYPE_DEFINITION ? (definition.fields ?? []) : [],
  );
  const inputs = definitions.filter(({ kind }) => kind === Kind.INPUT_OBJECT_TYPE_DEFINITION);
  // The API schema does not have the enum of the cache hints.
  const enums = definitions.filter(
    (definition) =>
      definition.kind === Kind.ENUM_TYPE_DEFINITION && definition.name.value !== 'CacheControlScope',
  );
  const places: readonly (readonly [string, readonly ASTNode[]])[] = [
    ['field', fields],
    ['another field', fields],
    ['input', inputs],
    ['enum', enums],
  ];
  return new Map(places.filter(([, nodes]) => nodes.length > 0));
}

/** A type without fields has no syntax. */
function hasFields(definition: DefinitionNode): boolean {
  return definition.kind !== Kind.OBJECT_TYPE_DEFINITION || (definition.fields ?? []).length > 0;
}
