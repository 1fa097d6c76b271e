import type { GraphQLNamedType, GraphQLSchema } from 'graphql';
import { isEnumType, isInputObjectType, isInterfaceType, isObjectType, isUnionType } from 'graphql';

/** An element of a schema that has a coordinate. */
export interface SchemaElement {
  readonly kind: 'type' | 'field' | 'argument' | 'input field' | 'enum value';
  /** Its type as written in a schema; absent for a type and an enum value. */
  readonly type: string | undefined;
  readonly deprecationReason: string | undefined;
}

interface Member {
  readonly type?: { toString(): string };
  readonly deprecationReason?: string | null | undefined;
}

/**
 * The elements of a schema by coordinate: `Type`, `Type.field`, `Type.field(argument:)`, `Input.field`, `Enum.VALUE`.
 * Introspection's are left out.
 */
export function schemaElements(schema: GraphQLSchema): ReadonlyMap<string, SchemaElement> {
  const found = new Map<string, SchemaElement>();
  const add = (
    coordinate: string,
    kind: SchemaElement['kind'],
    { type, deprecationReason }: Member = {},
  ): void => {
    found.set(coordinate, {
      kind,
      type: type && String(type),
      deprecationReason: deprecationReason ?? undefined,
    });
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) {
      continue;
    }
    add(type.name, 'type');
    if (isEnumType(type)) {
      type.getValues().forEach((value) => add(`${type.name}.${value.name}`, 'enum value', value));
    } else if (isInputObjectType(type)) {
      Object.values(type.getFields()).forEach((field) =>
        add(`${type.name}.${field.name}`, 'input field', field),
      );
    } else if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        add(`${type.name}.${field.name}`, 'field', { ...field });
        field.args.forEach((argument) =>
          add(`${type.name}.${field.name}(${argument.name}:)`, 'argument', argument),
        );
      }
    }
  }
  return found;
}

const kinds = [
  [isObjectType, 'type'],
  [isInterfaceType, 'interface'],
  [isUnionType, 'union'],
  [isEnumType, 'enum'],
  [isInputObjectType, 'input'],
] as const;

export type TypeKind = (typeof kinds)[number][1] | 'scalar';

/** The keyword by which the schema language defines a type. */
export function kindOfType(type: GraphQLNamedType): TypeKind {
  return kinds.find(([isOfKind]) => isOfKind(type))?.[1] ?? 'scalar';
}
