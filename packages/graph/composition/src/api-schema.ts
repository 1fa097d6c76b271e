import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph } from '@apollo/federation-internals';
import { markDefault, unmarkDefaults } from '@meridian/json';
import type { GraphQLSchema } from 'graphql';
import { isScalarType, isSpecifiedScalarType, printSchema } from 'graphql';

/**
 * The API schema: the supergraph without federation directives and `@inaccessible` elements, and with `@defer`, which the
 * tools of clients do not know by themselves.
 *
 * @throws {GraphQLError} when the text is not a supergraph
 */
export function apiSchemaOf(supergraphSdl: string): GraphQLSchema {
  // The default set of features refuses the security links that our supergraph has.
  const supergraph = Supergraph.build(supergraphSdl, {
    supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES,
  });
  return supergraph.apiSchema().toGraphQLJSSchema({ includeDefer: true });
}

/**
 * The text of the API schema.
 *
 * @throws {GraphQLError} when the text is not a supergraph
 */
export function printApiSchema(supergraphSdl: string): string {
  const schema = apiSchemaOf(supergraphSdl);
  for (const type of Object.values(schema.getTypeMap())) {
    if (isScalarType(type) && !isSpecifiedScalarType(type)) {
      type.serialize = markDefault;
    }
  }
  return unmarkDefaults(printSchema(schema));
}
