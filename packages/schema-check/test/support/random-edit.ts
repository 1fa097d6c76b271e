import type { DefinitionNode, DocumentNode, FieldDefinitionNode, TypeNode } from 'graphql';
import { Kind, parse, parseType, print, visit } from 'graphql';

/** Edits a subgraph's schema at random: removes, renames, retypes or adds an element of a type. */
export function randomEdit(sdl: string, random: () => number): string {
  const document = parse(sdl);
  const places = fieldsIn(document);
  const target = places[Math.floor(random() * places.length)];
  const edit = edits[Math.floor(random() * edits.length)];
  if (target === undefined || edit === undefined) {
    return sdl;
  }
  const edited: DocumentNode = visit(document, {
    FieldDefinition: (node) => (node === target ? edit(node, random) : undefined),
  });
  return print({ ...edited, definitions: edited.definitions.filter(hasFields) });
}

type EditField = (field: FieldDefinitionNode, random: () => number) => FieldDefinitionNode | null;

const scalars = ['Int', 'String', 'Boolean', 'ID'];

const edits: readonly EditField[] = [
  () => null,
  (field) => renamed(field, `${field.name.value}2`),
  (field) =>
    retyped(
      field,
      field.type.kind === Kind.NON_NULL_TYPE
        ? field.type.type
        : { kind: Kind.NON_NULL_TYPE, type: field.type },
    ),
  (field, random) => retyped(field, parseType(scalars[Math.floor(random() * scalars.length)] ?? 'Int')),
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

function renamed(field: FieldDefinitionNode, name: string): FieldDefinitionNode {
  return { ...field, name: { kind: Kind.NAME, value: name } };
}

function retyped(field: FieldDefinitionNode, type: TypeNode): FieldDefinitionNode {
  return { ...field, type };
}

function withArgument(field: FieldDefinitionNode, text: string): FieldDefinitionNode {
  const [definition] = parse(`type T { f(${text}): Int }`).definitions;
  const added = definition?.kind === Kind.OBJECT_TYPE_DEFINITION ? definition.fields?.[0]?.arguments : [];
  return { ...field, arguments: [...(field.arguments ?? []), ...(added ?? [])] };
}

function fieldsIn({ definitions }: DocumentNode): readonly FieldDefinitionNode[] {
  return definitions.flatMap((definition) =>
    definition.kind === Kind.OBJECT_TYPE_DEFINITION ? (definition.fields ?? []) : [],
  );
}

/** A type without fields has no syntax. */
function hasFields(definition: DefinitionNode): boolean {
  return definition.kind !== Kind.OBJECT_TYPE_DEFINITION || (definition.fields ?? []).length > 0;
}
