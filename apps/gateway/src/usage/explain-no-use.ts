import type { GraphQLNamedType, GraphQLSchema } from 'graphql';
import { isEnumType, isInputObjectType, isInterfaceType, isObjectType, isUnionType } from 'graphql';

/**
 * Explains why no use of something is recorded although it may be used: only fields that operations select, and input
 * objects, input fields and enum values that clients send are recorded. Undefined for these.
 *
 * @param name `Type.field`, or anything mistaken for one
 */
export function explainNoUse(schema: GraphQLSchema, name: string): string | undefined {
  const [typeName = '', fieldName, argumentName = ''] = name.split(/[.(:)]/u);
  const type = schema.getType(typeName);
  if (type === undefined) {
    return `${name}: there is no type ${typeName}`;
  }
  if (isEnumType(type) && fieldName !== undefined) {
    const values = type.getValues().map((value) => value.name);
    return values.includes(fieldName)
      ? undefined
      : `${name}: ${typeName} has no value ${fieldName}, but ${values.join(', ')}`;
  }
  if (isInputObjectType(type) && fieldName === undefined) {
    return undefined;
  }
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) {
    return `${name}: ${typeName} is ${kindOf(type)}, whose use is not recorded: only fields that operations select, input fields and enum values are`;
  }
  if (fieldName === undefined) {
    return `${name} is a type: ask with --type ${typeName}`;
  }
  const fields = type.getFields();
  if (!Object.hasOwn(fields, fieldName)) {
    return `${name}: ${typeName} has no field ${fieldName}, but ${Object.keys(fields).join(', ')}`;
  }
  return argumentName === ''
    ? undefined
    : `${name} is an argument, whose use is not recorded: only fields that operations select are (--field ${typeName}.${fieldName})`;
}

function kindOf(type: GraphQLNamedType): string {
  return isEnumType(type) ? 'an enum' : isUnionType(type) ? 'a union' : 'a scalar';
}
