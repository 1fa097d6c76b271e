import type { DocumentNode, GraphQLSchema } from 'graphql';
import { TypeInfo, getNamedType, isInputObjectType, visit, visitWithTypeInfo } from 'graphql';

/** The input objects, input fields and enum values that are written in an operation: every request sends them. */
export function inputsOfOperation(schema: GraphQLSchema, document: DocumentNode): readonly string[] {
  const inputs = new Set<string>();
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      EnumValue({ value }) {
        const type = getNamedType(typeInfo.getInputType());
        if (type) {
          inputs.add(`${type.name}.${value}`);
        }
      },
      ObjectValue({ fields }) {
        const type = getNamedType(typeInfo.getInputType());
        if (isInputObjectType(type)) {
          inputs.add(type.name);
          for (const { name } of fields) {
            inputs.add(`${type.name}.${name.value}`);
          }
        }
      },
    }),
  );
  return [...inputs];
}
