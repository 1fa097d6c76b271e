import type { GraphQLSchema } from 'graphql';
import { isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';

/** An element that the schema announces the end of. */
export interface DeprecatedElement {
  readonly coordinate: string;
  readonly reason: string;
}

interface Member {
  readonly name: string;
  readonly deprecationReason?: string | null | undefined;
}

/** The deprecated fields, arguments, input fields and enum values of a schema, by type and name. */
export function deprecatedElements(schema: GraphQLSchema): readonly DeprecatedElement[] {
  const found: DeprecatedElement[] = [];
  const add = (coordinate: string, { deprecationReason: reason }: Member): void => {
    if (typeof reason === 'string') {
      found.push({ coordinate, reason });
    }
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) {
      continue;
    }
    if (isEnumType(type)) {
      type.getValues().forEach((value) => add(`${type.name}.${value.name}`, value));
    } else if (isInputObjectType(type)) {
      Object.values(type.getFields()).forEach((field) => add(`${type.name}.${field.name}`, field));
    } else if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        add(`${type.name}.${field.name}`, field);
        field.args.forEach((argument) => add(`${type.name}.${field.name}(${argument.name}:)`, argument));
      }
    }
  }
  return found.toSorted((one, other) => (one.coordinate < other.coordinate ? -1 : 1));
}
