import { Supergraph as FederatedSupergraph } from '@apollo/federation-internals';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { buildASTSchema, parse } from 'graphql';

import type { KnownNames } from '../operation/plan-names.ts';
import { knownNames } from './known-names.ts';
import { orderKeys } from './order-keys.ts';
import type { OverrideLabels } from './override-labels.ts';
import { overrideLabels } from './override-labels.ts';
import type { SubgraphTypes } from './subgraph-types.ts';
import { subgraphTypes } from './subgraph-types.ts';
import { SupergraphError } from './supergraph-error.ts';
import { supportedFeatures } from './supported-features.ts';
import type { SyntheticFields } from './synthetic-fields.ts';
import { addSyntheticFields } from './synthetic-fields.ts';

/** A supergraph, read and made ready for planning. */
export interface Supergraph {
  /** What clients see. */
  readonly apiSchema: GraphQLSchema;
  /** Everything, also what is `@inaccessible`: what subgraphs may answer. */
  readonly schema: GraphQLSchema;
  readonly subgraphs: readonly Subgraph[];
  /** As the planner gets it. */
  readonly planned: DocumentNode;
  /** The fields that only the planner knows, by name. */
  readonly syntheticFields: SyntheticFields;
  readonly subgraphTypes: SubgraphTypes;
  readonly knownNames: KnownNames;
  readonly overrideLabels: OverrideLabels;
}

export interface Subgraph {
  readonly name: string;
  readonly url: string;
}

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
    const forPlanner = FederatedSupergraph.build(planned, { supportedFeatures, validateSupergraph: false });
    return {
      apiSchema: federated.apiSchema().toGraphQLJSSchema(),
      schema,
      subgraphs: federated.subgraphsMetadata(),
      planned,
      syntheticFields: fields,
      subgraphTypes: subgraphTypes(forPlanner.subgraphs(), schema),
      knownNames: knownNames(schema, planned),
      overrideLabels: overrideLabels(document),
    };
  } catch (error) {
    const line = String(error instanceof Error ? error.message : error).replaceAll(/\s+/gu, ' ');
    throw new SupergraphError(`Cannot load the supergraph: ${line}`, { cause: error });
  }
}
