import type { Supergraph as FederatedSupergraph } from '@apollo/federation-internals';

/** A specification that a supergraph links. */
export interface LinkedFeature {
  /** Such as `https://specs.apollo.dev/cost`, without the version. */
  readonly identity: string;
  /** The last part of the identity, such as `cost`. */
  readonly name: string;
  /** The name of one of its directives in this supergraph, without the `@`. */
  readonly directiveName: (directive: string) => string;
  /** True when the supergraph defines this directive or type for it. */
  readonly owns: (definition: { readonly name: string; readonly isDirective: boolean }) => boolean;
}

export function linkedFeatures({ schema }: FederatedSupergraph): readonly LinkedFeature[] {
  return (schema.coreFeatures?.allFeatures() ?? []).map((feature) => ({
    identity: feature.url.identity,
    name: feature.url.name,
    directiveName: (directive) => feature.directiveNameInSchema(directive),
    owns: ({ name, isDirective }) => ownsByName(feature, name, isDirective),
  }));
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
