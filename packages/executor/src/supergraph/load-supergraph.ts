import {
  ROUTER_SUPPORTED_SUPERGRAPH_FEATURES,
  Supergraph as FederatedSupergraph,
} from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { buildASTSchema, parse } from 'graphql';

import type { KnownNames } from '../operation/plan-names.ts';
import { knownNames } from './known-names.ts';
import { orderKeys } from './order-keys.ts';
import type { SubgraphTypes } from './subgraph-types.ts';
import { subgraphTypes } from './subgraph-types.ts';
import { SupergraphError } from './supergraph-error.ts';
import type { SyntheticFields } from './synthetic-fields.ts';
import { addSyntheticFields } from './synthetic-fields.ts';

/** A supergraph, read and made ready for planning. */
export interface Supergraph {
  /** What clients see. */
  readonly apiSchema: GraphQLSchema;
  /** Everything, also what is `@inaccessible`: what subgraphs may answer. */
  readonly schema: GraphQLSchema;
  readonly subgraphs: readonly Subgraph[];
  readonly planner: QueryPlanner;
  /** The fields that only the planner knows, by name. */
  readonly syntheticFields: SyntheticFields;
  readonly subgraphTypes: SubgraphTypes;
  readonly knownNames: KnownNames;
}

export interface Subgraph {
  readonly name: string;
  readonly url: string;
}

/**
 * Features that Apollo's planner knows and this executor does not run: connectors are not GraphQL subgraphs, and arguments
 * from a context are not filled in.
 */
const notRun = ['connect', 'context'];

const supportedFeatures = new Set(
  [...ROUTER_SUPPORTED_SUPERGRAPH_FEATURES].filter(
    (feature) => !notRun.some((name) => feature.startsWith(`https://specs.apollo.dev/${name}/`)),
  ),
);

/**
 * Reads a composed supergraph.
 *
 * @throws {SupergraphError} where it is none, or needs what this executor does not support
 */
export function loadSupergraph(sdl: string): Supergraph {
  try {
    const document = parse(sdl);
    const federated = FederatedSupergraph.build(document, { supportedFeatures, validateSupergraph: true });
    const { document: planned, fields } = addSyntheticFields(orderKeys(document));
    const schema = buildASTSchema(document, { assumeValid: true, assumeValidSDL: true });
    const planner = createPlanner(planned);
    return {
      apiSchema: federated.apiSchema().toGraphQLJSSchema(),
      schema,
      subgraphs: federated.subgraphsMetadata(),
      planner,
      syntheticFields: fields,
      subgraphTypes: subgraphTypes(planner.supergraph, schema),
      knownNames: knownNames(schema, planned),
    };
  } catch (error) {
    const line = String(error instanceof Error ? error.message : error).replaceAll(/\s+/gu, ' ');
    throw new SupergraphError(`Cannot load the supergraph: ${line}`, { cause: error });
  }
}

function createPlanner(document: DocumentNode): QueryPlanner {
  // Validated already, as it was written.
  const supergraph = FederatedSupergraph.build(document, { supportedFeatures, validateSupergraph: false });
  return new QueryPlanner(supergraph, {
    exposeDocumentNodeInFetchNode: true,
    // Operations come without named fragments.
    reuseQueryFragments: false,
  });
}
