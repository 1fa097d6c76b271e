import {
  ROUTER_SUPPORTED_SUPERGRAPH_FEATURES,
  Supergraph as FederatedSupergraph,
} from '@apollo/federation-internals';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { buildASTSchema, parse } from 'graphql';

import { hashTexts } from '../hash-texts.ts';

/** A supergraph as this gateway reads it. */
export interface Supergraph {
  readonly sdl: string;
  /** SHA-256 of the file, for operators. */
  readonly hash: string;
  readonly document: DocumentNode;
  /** Everything, with the directives on each definition's `astNode`. */
  readonly schema: GraphQLSchema;
  /** What clients see. */
  readonly apiSchema: GraphQLSchema;
  readonly features: readonly LinkedFeature[];
  readonly subgraphs: readonly Subgraph[];
}

export interface Subgraph {
  readonly name: string;
  readonly url: string;
}

/** A specification that the supergraph links. */
export interface LinkedFeature {
  /** Such as `https://specs.apollo.dev/cost`, without the version. */
  readonly identity: string;
  /** The last part of the identity, such as `cost`. */
  readonly name: string;
  /** What one of its directives is called in this supergraph, without the `@`. */
  readonly directiveName: (directive: string) => string;
  /** Whether the supergraph defines this directive or type for it. */
  readonly owns: (definition: { readonly name: string; readonly isDirective: boolean }) => boolean;
}

/** A supergraph that the gateway cannot run. The message says why, in one line. */
export class SupergraphError extends Error {
  constructor(message: string, options: ErrorOptions) {
    super(message, options);
    this.name = 'SupergraphError';
  }
}

/**
 * Reads a composed supergraph.
 *
 * @throws {SupergraphError} where it is none, or needs what no gateway here supports
 */
export function loadSupergraph(sdl: string): Supergraph {
  try {
    const federated = FederatedSupergraph.build(sdl, {
      supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES,
      validateSupergraph: true,
    });
    const document = parse(sdl);
    return {
      sdl,
      hash: hashTexts([sdl]),
      document,
      schema: buildASTSchema(document, { assumeValid: true, assumeValidSDL: true }),
      apiSchema: federated.apiSchema().toGraphQLJSSchema(),
      features: (federated.schema.coreFeatures?.allFeatures() ?? []).map((feature) => ({
        identity: feature.url.identity,
        name: feature.url.name,
        directiveName: (directive) => feature.directiveNameInSchema(directive),
        owns: ({ name, isDirective }) => ownsByName(feature, name, isDirective),
      })),
      subgraphs: federated.subgraphsMetadata(),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SupergraphError(`Cannot load the supergraph: ${onOneLine(reason)}`, { cause: error });
  }
}

/** The longest reason that is shown; a supergraph with many faults brings pages. */
const longestReason = 500;

function onOneLine(text: string): string {
  return text.slice(0, longestReason).trim().replaceAll(/\s+/g, ' ');
}

interface FeatureNames {
  readonly nameInSchema: string;
  readonly imports: readonly { readonly name: string; readonly as?: string }[];
}

/** Link specification v1.0: a name is prefixed with the feature's, unless it is imported or the feature's own. */
function ownsByName({ nameInSchema, imports }: FeatureNames, name: string, isDirective: boolean): boolean {
  const imported = isDirective ? `@${name}` : name;
  return (
    name.startsWith(`${nameInSchema}__`) ||
    (isDirective && name === nameInSchema) ||
    imports.some((element) => (element.as ?? element.name) === imported)
  );
}
