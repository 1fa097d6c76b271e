import type { GraphQLSchema } from 'graphql';
import { isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';

/** An element of a schema, by its coordinate. */
export interface FoundElement {
  readonly kind: 'type' | 'field' | 'argument' | 'input field' | 'enum value';
  /** Its type as written in a schema; absent for a type and an enum value. */
  readonly type: string | undefined;
  readonly deprecationReason: string | undefined;
}

/**
 * Finds `Type`, `Type.field`, `Type.field(argument:)`, `Input.field` or `Enum.VALUE`; undefined where there is none.
 */
export function findElement(schema: GraphQLSchema, coordinate: string): FoundElement | undefined {
  const [, typeName = '', member, argument] =
    /^([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*)(?:\(([A-Za-z_]\w*):\))?)?$/u.exec(coordinate) ?? [];
  const type = schema.getType(typeName);
  if (type === undefined) {
    return undefined;
  }
  if (member === undefined) {
    return { kind: 'type', type: undefined, deprecationReason: undefined };
  }
  if (isEnumType(type)) {
    const value = type.getValue(member) ?? undefined;
    return argument === undefined && value !== undefined
      ? {
          kind: 'enum value',
          type: undefined,
          deprecationReason: value.deprecationReason ?? undefined,
        }
      : undefined;
  }
  if (isInputObjectType(type)) {
    return argument === undefined ? typed('input field', type.getFields()[member]) : undefined;
  }
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[member] : undefined;
  return argument === undefined
    ? typed('field', field)
    : typed(
        'argument',
        field?.args.find(({ name }) => name === argument),
      );
}

/** Coordinates that may have been meant: all members of the type, or all types where there is no such type. */
export function coordinatesNear(schema: GraphQLSchema, coordinate: string): readonly string[] {
  const [typeName = ''] = coordinate.split(/[.(]/u);
  const type = schema.getType(typeName);
  if (isEnumType(type)) {
    return type.getValues().map(({ name }) => `${typeName}.${name}`);
  }
  return isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)
    ? Object.keys(type.getFields()).map((name) => `${typeName}.${name}`)
    : Object.keys(schema.getTypeMap()).filter((name) => !name.startsWith('__'));
}

interface TypedElement {
  readonly type: { toString(): string };
  readonly deprecationReason?: string | null | undefined;
}

function typed(kind: FoundElement['kind'], element: TypedElement | undefined): FoundElement | undefined {
  return (
    element && {
      kind,
      type: String(element.type),
      deprecationReason: element.deprecationReason ?? undefined,
    }
  );
}
