import type { DocumentNode, GraphQLSchema } from 'graphql';
import {
  TypeInfo,
  getNamedType,
  isInputObjectType,
  isIntrospectionType,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** The elements of the schema that an operation uses in every request. */
export interface OperationElements {
  /** The selected fields, as `Type.field`, sorted. One that `@skip` or `@include` governs counts: some request may get it. */
  readonly fields: readonly string[];
  /** The input objects, input fields and enum values that are written in it. */
  readonly inputs: readonly string[];
}

/** @param document holds one operation and the fragments that it spreads */
export function elementsOfOperation(schema: GraphQLSchema, document: DocumentNode): OperationElements {
  const fields = new Set<string>();
  const inputs = new Set<string>();
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Field({ name }) {
        const parent = typeInfo.getParentType();
        if (parent && !isIntrospectionType(parent) && !name.value.startsWith('__')) {
          fields.add(`${parent.name}.${name.value}`);
        }
      },
      EnumValue({ value }) {
        const type = getNamedType(typeInfo.getInputType());
        if (type) {
          inputs.add(`${type.name}.${value}`);
        }
      },
      ObjectValue({ fields: written }) {
        const type = getNamedType(typeInfo.getInputType());
        if (isInputObjectType(type)) {
          inputs.add(type.name);
          written.forEach(({ name }) => inputs.add(`${type.name}.${name.value}`));
        }
      },
    }),
  );
  return { fields: [...fields].toSorted(), inputs: [...inputs] };
}
