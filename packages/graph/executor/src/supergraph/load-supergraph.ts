import { Supergraph as FederatedSupergraph } from '@apollo/federation-internals';
import type { ConstDirectiveNode, DocumentNode, GraphQLSchema } from 'graphql';
import { buildASTSchema, parse } from 'graphql';

import type { KnownNames } from '../operation/plan-names.ts';
import { keepLiterals } from './keep-literals.ts';
import { knownNames, overrideLabels } from './known-names.ts';
import type { Placeholders } from './placeholder-types.ts';
import { addPlaceholderTypes } from './placeholder-types.ts';
import type { SubgraphTypes } from './subgraph-types.ts';
import { subgraphTypes } from './subgraph-types.ts';
import { supergraphFault } from './supergraph-error.ts';
import { refuseConnectors, refuseUncomposed, supportedFeatures } from './supported-supergraphs.ts';
import type { SyntheticFields } from './synthetic-fields.ts';
import { addSyntheticFields } from './synthetic-fields.ts';
import { booleanArgument, isFielded } from './join-directives.ts';

/** A supergraph, read and made ready for planning. */
export interface Supergraph {
  /** As it was composed. */
  readonly sdl: string;
  readonly document: DocumentNode;
  /** The API schema, as clients see it. */
  readonly apiSchema: GraphQLSchema;
  /**
   * The full schema, `@inaccessible` elements included: everything that subgraphs may return. The directives are on
   * each definition's `astNode`.
   */
  readonly schema: GraphQLSchema;
  readonly features: readonly LinkedFeature[];
  readonly subgraphs: readonly Subgraph[];
  /** As the planner gets it. */
  readonly plannerSchema: DocumentNode;
  /** The fields that only the planner knows, by name. */
  readonly syntheticFields: SyntheticFields;
  /** The types that only the planner knows. */
  readonly placeholders: Placeholders;
  readonly subgraphTypes: SubgraphTypes;
  readonly knownNames: KnownNames;
  /** The labels of its progressive overrides. */
  readonly overrideLabels: ReadonlySet<string>;
}

export interface Subgraph {
  readonly name: string;
  readonly url: string;
}

/**
 * Reads a composed supergraph.
 *
 * @throws {SupergraphError} when it is not one, or needs an unsupported feature
 */
export function loadSupergraph(sdl: string): Supergraph {
  try {
    return readSupergraph(sdl, parse(sdl));
  } catch (error) {
    throw supergraphFault(error);
  }
}

function readSupergraph(sdl: string, document: DocumentNode): Supergraph {
  refuseUncomposed(document);
  refuseConnectors(document);
  const federated = FederatedSupergraph.build(document, { supportedFeatures, validateSupergraph: true });
  const subgraphs = federated.subgraphsMetadata();
  refuseControlCharacters(subgraphs);
  const { document: withTypes, placeholders } = addPlaceholderTypes(document);
  const { document: plannerSchema, fields } = addSyntheticFields(orderKeys(withTypes));
  const schema = buildASTSchema(document, { assumeValid: true, assumeValidSDL: true });
  const apiSchema = federated.apiSchema().toGraphQLJSSchema();
  keepLiterals(schema, schema);
  keepLiterals(apiSchema, schema);
  const forPlanner =
    fields.size === 0 && placeholders.size === 0
      ? federated
      : FederatedSupergraph.build(plannerSchema, { supportedFeatures, validateSupergraph: false });
  return {
    sdl,
    document,
    apiSchema,
    schema,
    features: linkedFeatures(federated),
    subgraphs,
    plannerSchema,
    syntheticFields: fields,
    placeholders,
    subgraphTypes: subgraphTypes(forPlanner.subgraphs(), schema),
    knownNames: knownNames(schema, plannerSchema),
    overrideLabels: overrideLabels(document),
  };
}

/** Names of subgraphs are in plans, logs and reports, of which a line break would make further lines. */
function refuseControlCharacters(subgraphs: readonly Subgraph[]): void {
  if (subgraphs.some(({ name }) => /[\p{Cc}\u2028\u2029]/u.test(name))) {
    throw new Error('a subgraph has a name with control characters');
  }
}

/**
 * Moves keys with `resolvable: false` after the other keys of their type. The planner identifies an entity by
 * the first key that a subgraph has, even when only a later one is resolvable. These keys must stay:
 * interface objects need them.
 */
function orderKeys(document: DocumentNode): DocumentNode {
  return {
    ...document,
    definitions: document.definitions.map((definition) =>
      isFielded(definition) && definition.directives !== undefined
        ? { ...definition, directives: definition.directives.toSorted(byResolvability) }
        : definition,
    ),
  };
}

function byResolvability(one: ConstDirectiveNode, other: ConstDirectiveNode): number {
  return Number(isUnresolvableKey(one)) - Number(isUnresolvableKey(other));
}

function isUnresolvableKey(directive: ConstDirectiveNode): boolean {
  return directive.name.value === 'join__type' && booleanArgument(directive, 'resolvable') === false;
}

/** A specification that a supergraph links. */
export interface LinkedFeature {
  /** Such as `https://specs.apollo.dev/cost`, without the version. */
  readonly identity: string;
  /** The last part of the identity, such as `cost`. */
  readonly name: string;
  /** The name of one of its directives in this supergraph, without the `@`. */
  readonly directiveName: (directive: string) => string;
}

function linkedFeatures({ schema }: FederatedSupergraph): readonly LinkedFeature[] {
  return (schema.coreFeatures?.allFeatures() ?? []).map((feature) => ({
    identity: feature.url.identity,
    name: feature.url.name,
    directiveName: (directive) => feature.directiveNameInSchema(directive),
  }));
}
