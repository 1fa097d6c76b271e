import { buildSubgraph } from '@apollo/federation-internals';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import {
  GraphQLError,
  Kind,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  ProvidedRequiredArgumentsRule,
  Source,
  UniqueDirectivesPerLocationRule,
  parse,
  print,
  validate,
} from 'graphql';

import type { CompositionIssue } from './composition.ts';
import { repeatedDefinitions } from './repeated-definitions.ts';
import { schemaLocations } from './composition.ts';

/** The rules of graphql-js that composition applies to a schema that it has printed again, without places. */
const rules = [
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  ProvidedRequiredArgumentsRule,
  UniqueDirectivesPerLocationRule,
];

/**
 * Adds the places of issues that composition reports without one, such as a field that a subgraph defines twice. They
 * are found in the subgraph's own text. An issue that is not found there stays as it is.
 *
 * @param sdlOf the text of a subgraph; undefined for one that is not known
 */
export function locateIssues(
  issues: readonly CompositionIssue[],
  sdlOf: (subgraph: string) => string | undefined,
): readonly CompositionIssue[] {
  return issues.map((issue) => {
    const [, subgraph = '', fault = ''] = /^\[([^\]]*)\] ([^]*)$/u.exec(issue.message) ?? [];
    const sdl = issue.locations.length > 0 ? undefined : sdlOf(subgraph);
    return sdl === undefined ? issue : { ...issue, locations: locationsOf(fault, subgraph, sdl) };
  });
}

function locationsOf(fault: string, subgraph: string, sdl: string): CompositionIssue['locations'] {
  let document: DocumentNode;
  try {
    document = parse(new Source(sdl, subgraph));
  } catch {
    return [];
  }
  const broken = brokenRules(document).filter(({ message }) => message === fault);
  const words = new Set(wordsOf(fault));
  const repeated = Array.from(repeatedDefinitions(document), ([coordinate, nodes]) =>
    // `Field n already exists on W` is about W.n.
    wordsOf(coordinate).every((word) => words.has(word)) ? nodes : [],
  );
  return schemaLocations([...broken.flatMap(({ nodes = [] }) => nodes), ...repeated.flat()]);
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\w+/gu) ?? [];
}

function brokenRules(document: DocumentNode): readonly GraphQLError[] {
  try {
    return validate(directivesOf(document), document, rules, { maxErrors: 1000 });
  } catch (error) {
    if (error instanceof GraphQLError) {
      return []; // its links are at fault
    }
    throw error;
  }
}

/** A schema with the directives that a document has by its `@link`s, and without its types. */
function directivesOf({ definitions }: DocumentNode): GraphQLSchema {
  const links = definitions.filter(({ kind }) => kind === Kind.SCHEMA_EXTENSION).map(print);
  const sdl = [...links, 'type Query { _: Int }'].join('\n');
  return buildSubgraph('directives', '', sdl).schema.toGraphQLJSSchema();
}
