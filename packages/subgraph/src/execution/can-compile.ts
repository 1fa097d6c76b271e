import {
  BREAK,
  getNamedType,
  isInterfaceType,
  isUnionType,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';

/** The union that `_entities` returns. What is behind it is known before it is there: the representation says it. */
const entityUnion = '_Entity';

/**
 * Whether an operation can be compiled: a query that selects the same fields for all variables, of types that are known
 * before any value is. What the gateway asks for is. A few things that no gateway asks for are left out too.
 */
export function canCompile(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation }: OperationDefinitionNode,
): boolean {
  let isPlain = operation === OperationTypeNode.QUERY;
  const refuse = () => {
    isPlain = false;
    return BREAK;
  };
  // With interfaces, a representation may name one, and its resolver has to say what it is.
  const hasInterfaces = Object.values(schema.getTypeMap()).some(isInterfaceType);
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      // @skip and @include depend on variables.
      Directive: refuse,
      Field({ name, alias }) {
        const type = getNamedType(typeInfo.getType());
        const isEntity = type?.name === entityUnion && !hasInterfaces;
        const isAbstract = isInterfaceType(type) || isUnionType(type);
        const isIntrospection = name.value === '__schema' || name.value === '__type';
        const isPrototype = alias?.value === '__proto__';
        return (isAbstract && !isEntity) || isIntrospection || isPrototype ? refuse() : undefined;
      },
    }),
  );
  return isPlain;
}
