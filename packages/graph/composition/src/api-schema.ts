import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph } from '@apollo/federation-internals';
import type { GraphQLSchema } from 'graphql';

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
