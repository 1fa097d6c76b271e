import type { CompositionOptions, CompositionResult } from '@apollo/composition';
import { composeServices } from '@apollo/composition';
import type { ServiceDefinition } from '@apollo/federation-internals';
import { errorCode } from '@apollo/federation-internals';
import type { ConstValueNode, DocumentNode } from 'graphql';
import { GraphQLError, Kind, Source, parse, valueFromASTUntyped } from 'graphql';
import { isRecord } from '@meridian/settings/values';

import type { Composition, CompositionIssue } from './composition.ts';
import { schemaLocations } from './composition.ts';
import { locateIssues } from './locate-issues.ts';
import { repeatedDefinitions } from './repeated-definitions.ts';
import { argumentOf, textArgument } from './sdl/directive-values.ts';
import { elementsOf, linksIn } from './sdl/elements.ts';

/** One subgraph, as composition sees it. */
export interface SubgraphSchema {
  readonly name: string;
  readonly routingUrl: string;
  readonly sdl: string;
}

type CompositionHint = NonNullable<CompositionResult['hints']>[number];

/**
 * Composes subgraph schemas into a supergraph, or returns the errors. The order of the subgraphs does not matter: the
 * same schemas give the same supergraph, byte for byte.
 *
 * @param bound of the search for what clients cannot get; above it, composition fails. Default: Apollo's
 */
export function composeSupergraph(
  subgraphs: readonly SubgraphSchema[],
  bound: Pick<CompositionOptions, 'maxValidationSubgraphPaths'> = {},
): Composition {
  const services: ServiceDefinition[] = [];
  const unreadable: CompositionIssue[] = [];
  for (const { name, routingUrl, sdl } of subgraphs.toSorted(byName)) {
    try {
      const typeDefs = parse(new Source(sdl, name));
      services.push({ name, url: routingUrl, typeDefs });
      unreadable.push(...repeatedDirectives(typeDefs, name));
    } catch (error) {
      unreadable.push(syntaxIssue(error, name));
    }
  }
  if (unreadable.length > 0) {
    return { errors: unreadable };
  }

  const sdls = new Map(subgraphs.map(({ name, sdl }) => [name, sdl]));
  const { supergraphSdl, hints = [], errors = [] } = compose(services, bound);
  const issues = [
    ...locateIssues(errors.map(errorIssue), sdls),
    ...services.flatMap(({ name, typeDefs }) => pageSizeDefaultErrors(name, typeDefs)),
  ];
  if (supergraphSdl === undefined || issues.length > 0) {
    return { errors: issues };
  }
  return { supergraphSdl, hints: hints.map(hintIssue) };
}

function byName(a: SubgraphSchema, b: SubgraphSchema): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

function syntaxIssue(error: unknown, subgraph: string): CompositionIssue {
  if (!(error instanceof GraphQLError)) {
    throw error;
  }
  const locations = (error.locations ?? []).map((point) => ({ subgraph, start: point, end: point }));
  return { code: 'INVALID_GRAPHQL', message: `[${subgraph}] ${error.message}`, locations };
}

/** Directives that a subgraph defines twice, which composition takes for a fault of its own. */
function repeatedDirectives(document: DocumentNode, subgraph: string): readonly CompositionIssue[] {
  return [...repeatedDefinitions(document)]
    .filter(([coordinate]) => coordinate.startsWith('@'))
    .map(([coordinate, nodes]) => ({
      code: 'INVALID_GRAPHQL',
      message: `[${subgraph}] There can be only one directive named "${coordinate}".`,
      locations: schemaLocations(nodes),
    }));
}

/** Composes, and returns what Apollo's composition throws as an error of the schemas. */
function compose(services: ServiceDefinition[], bound: CompositionOptions): CompositionResult {
  try {
    return composeServices(services, bound);
  } catch (error) {
    if (!(error instanceof Error)) {
      throw error;
    }
    return { errors: [circleError(error, services) ?? thrownError(error, services)] };
  }
}

/** Apollo's composition follows fields that need each other in a circle until its stack is full. */
function circleError(error: Error, services: readonly ServiceDefinition[]): GraphQLError | undefined {
  const nodes = services.flatMap(({ typeDefs }) =>
    [...elementsOf(typeDefs)].flatMap(({ directives, node }) =>
      directives.some(({ name }) => isRequires.test(name.value)) ? [node] : [],
    ),
  );
  const message =
    'Composition ran out of stack, as it does where fields need each other by @requires. The fields with @requires:';
  return error instanceof RangeError && nodes.length > 0
    ? new GraphQLError(message, { nodes, extensions: { code: 'REQUIRES_CYCLE' } })
    : undefined;
}

/** For a schema that Apollo's own code does not expect. */
function thrownError({ message }: Error, services: readonly ServiceDefinition[]): GraphQLError {
  const faulty = services.filter((service) => failureOf(service) === message).map(({ name }) => `"${name}"`);
  const place = faulty.length === 0 ? '' : ` in subgraph ${faulty.join(', ')}`;
  // Composition leaves out arguments that not all subgraphs have, then finds that a directive names one of them.
  const [invalidPart] = message.split('\n\nDetails:\n')[1]?.split('\n\nRe-run with', 1) ?? [];
  const extensions = { code: 'COMPOSITION_FAILED' };
  return new GraphQLError(invalidPart ?? `Composition failed${place}: ${message}`, { extensions });
}

/** The message of the error that composition throws for a subgraph alone. */
function failureOf(service: ServiceDefinition): string | undefined {
  try {
    composeServices([service]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : undefined;
  }
}

/** A directive of the federation specification may be imported, or have its prefix. */
const isRequires = /^(?:federation__)?requires$/u;

function errorIssue(error: GraphQLError): CompositionIssue {
  const { message, nodes } = error;
  return { code: errorCode(error) ?? 'UNKNOWN', message, locations: schemaLocations(nodes) };
}

function hintIssue({ definition, message, nodes }: CompositionHint): CompositionIssue {
  const isWarning = definition.level.name === 'WARN';
  return { code: definition.code, message, locations: schemaLocations(nodes), isWarning };
}

/**
 * Finds the arguments of a subgraph whose default is not among the sizes that `@pageSize(max:)` takes: the resolver
 * rejects each operation that leaves such an argument out.
 */
function pageSizeDefaultErrors(subgraph: string, document: DocumentNode): CompositionIssue[] {
  const directiveName = pageSizeNameIn(document);
  if (directiveName === undefined) {
    return [];
  }
  return [...elementsOf(document)].flatMap(({ coordinate, node, directives }) => {
    if (node.kind !== Kind.INPUT_VALUE_DEFINITION || !coordinate.includes('(')) {
      return [];
    }
    const size = valueOf(node.defaultValue);
    const bounds = directives
      .filter(({ name }) => name.value === directiveName)
      .map((directive) => valueOf(argumentOf(directive, 'max')))
      .filter((max) => typeof max === 'number');
    return typeof size === 'number' && bounds.some((max) => size < 0 || size > max)
      ? [
          {
            code: 'PAGE_SIZE_DEFAULT_NOT_ALLOWED',
            message: `[${subgraph}] ${coordinate} is ${size} by default, and @${directiveName} takes 0 to ${Math.min(...bounds)}.`,
            locations: schemaLocations([node]),
          },
        ]
      : [];
  });
}

/** The directive is known by the name of its link, whatever the host in the URL; it may be imported by another name. */
function pageSizeNameIn(document: DocumentNode): string | undefined {
  const link = linksIn(document).find((one) => /\/pageSize\/v[^/]+$/u.test(textArgument(one, 'url') ?? ''));
  return (
    link && (importedName(valueOf(argumentOf(link, 'import'))) ?? textArgument(link, 'as') ?? 'pageSize')
  );
}

/** An import is `"@pageSize"`, or `{ name: "@pageSize", as: "@page" }`. */
function importedName(imports: unknown): string | undefined {
  const elements: readonly unknown[] = Array.isArray(imports) ? imports : [];
  const renamed = elements.find((element) => isRecord(element) && element['name'] === '@pageSize');
  if (isRecord(renamed) && typeof renamed['as'] === 'string') {
    return renamed['as'].slice(1);
  }
  return elements.includes('@pageSize') ? 'pageSize' : undefined;
}

function valueOf(node: ConstValueNode | undefined): unknown {
  return node && valueFromASTUntyped(node);
}
