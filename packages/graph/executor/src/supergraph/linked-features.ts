import type { Supergraph as FederatedSupergraph } from '@apollo/federation-internals';

/** A specification that a supergraph links. */
export interface LinkedFeature {
  /** Such as `https://specs.apollo.dev/cost`, without the version. */
  readonly identity: string;
  /** The last part of the identity, such as `cost`. */
  readonly name: string;
  /** The name of one of its directives in this supergraph, without the `@`. */
  readonly directiveName: (directive: string) => string;
}

export function linkedFeatures({ schema }: FederatedSupergraph): readonly LinkedFeature[] {
  return (schema.coreFeatures?.allFeatures() ?? []).map((feature) => ({
    identity: feature.url.identity,
    name: feature.url.name,
    directiveName: (directive) => feature.directiveNameInSchema(directive),
  }));
}
