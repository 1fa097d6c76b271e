import type { GraphQLNamedType, GraphQLSchema } from 'graphql';
import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isUnionType,
} from 'graphql';

/**
 * Explains why no use of something is recorded although it may be used: only fields that operations select, and input
 * objects, input fields and enum values that clients send are recorded. Undefined for these.
 *
 * @param name `Type.field`, or anything mistaken for one
 */
export function explainNoUse(schema: GraphQLSchema, name: string): string | undefined {
  const [typeName = '', fieldName, argumentName] = name.split(/[.(:)]/u);
  const type = schema.getType(typeName);
  if (type === undefined) {
    return `${name}: there is no type ${typeName}`;
  }
  if (isObjectType(type) || isInterfaceType(type)) {
    return explainField(type.getFields(), { name, typeName, fieldName, argumentName });
  }
  if (isInputObjectType(type) && fieldName !== undefined) {
    return explainField(type.getFields(), { name, typeName, fieldName, argumentName });
  }
  if (isEnumType(type) && fieldName !== undefined) {
    const values = type.getValues().map((value) => value.name);
    return values.includes(fieldName)
      ? undefined
      : `${name}: ${typeName} has no value ${fieldName}, but ${values.join(', ')}`;
  }
  if (isInputObjectType(type)) {
    return undefined;
  }
  return `${name}: ${typeName} is ${kindOf(type)}, whose use is not recorded: only fields that operations select, input fields and enum values are`;
}

interface RequestedField {
  readonly name: string;
  readonly typeName: string;
  readonly fieldName: string | undefined;
  readonly argumentName: string | undefined;
}

function explainField(
  fields: Readonly<Record<string, unknown>>,
  { name, typeName, fieldName, argumentName }: RequestedField,
): string | undefined {
  if (fieldName === undefined) {
    return `${name} is a type: ask with --type ${typeName}`;
  }
  if (!Object.hasOwn(fields, fieldName)) {
    return `${name}: ${typeName} has no field ${fieldName}, but ${Object.keys(fields).join(', ')}`;
  }
  return argumentName === undefined || argumentName === ''
    ? undefined
    : `${name} is an argument, whose use is not recorded: only fields that operations select are (--field ${typeName}.${fieldName})`;
}

function kindOf(type: GraphQLNamedType): string {
  if (isEnumType(type)) {
    return 'an enum';
  }
  if (isUnionType(type)) {
    return 'a union';
  }
  return isScalarType(type) ? 'a scalar' : 'a type';
}
