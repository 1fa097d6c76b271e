import { buildSubgraph } from '@apollo/federation-internals';
import type { ASTNode, DocumentNode, GraphQLSchema } from 'graphql';
import {
  GraphQLError,
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
import { textArgument } from './sdl/directive-values.ts';
import { elementsOf, linksIn } from './sdl/elements.ts';

/** The rules of graphql-js that composition applies to a schema that it has printed again, without places. */
const rules = [
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  ProvidedRequiredArgumentsRule,
  UniqueDirectivesPerLocationRule,
];

/**
 * Adds the places of issues that composition reports without one, such as a field that a subgraph defines twice. They
 * are found in the texts of the subgraphs that the message names. An issue that is not found there stays as it is.
 *
 * @param sdls the text of each subgraph
 */
export function locateIssues(
  issues: readonly CompositionIssue[],
  sdls: ReadonlyMap<string, string>,
): readonly CompositionIssue[] {
  // Each subgraph is read once: one change may have hundreds of errors.
  const locators = new Map<string, LocateFault>();
  const locatorOf = (subgraph: string): LocateFault => {
    const locate = locators.get(subgraph) ?? createLocator(subgraph, sdls.get(subgraph) ?? '');
    locators.set(subgraph, locate);
    return locate;
  };
  return issues.map((issue) => {
    if (issue.locations.length > 0) {
      return issue;
    }
    const { subgraphs, fault } = readMessage(issue.message);
    return { ...issue, locations: [...subgraphs].flatMap((name) => locatorOf(name)(fault)) };
  });
}

/** The name of a subgraph, within a line: a search across lines takes quadratic time. */
const namePrefix = /^\[([^\]\r\n\u2028\u2029]*)\] /gmu;

/** A message is `[subgraph] fault`, or has `subgraph "a"` and `subgraphs "a" and "b"` inside. */
function readMessage(message: string): { readonly subgraphs: ReadonlySet<string>; readonly fault: string } {
  const subgraphs = new Set(Array.from(message.matchAll(namePrefix), ([, name = '']) => name));
  const fault = message
    .replaceAll(namePrefix, '')
    .replaceAll(/\bsubgraphs? "[^"]*"(?:(?:,|,? and|,? or) "[^"]*")*/gu, (names) => {
      quotedIn(names).forEach((name) => subgraphs.add(name));
      return '';
    });
  return { subgraphs, fault };
}

type LocateFault = (fault: string) => CompositionIssue['locations'];

function createLocator(subgraph: string, sdl: string): LocateFault {
  let document: DocumentNode;
  try {
    document = parse(new Source(sdl, subgraph));
  } catch {
    return () => [];
  }
  const broken = brokenRules(document);
  const repeated = Array.from(repeatedDefinitions(document), ([coordinate, nodes]) => ({
    words: wordsOf(coordinate),
    nodes,
  }));
  const named = createNamedNodes(document);
  return (fault) => {
    const words = new Set(wordsOf(fault));
    const found = [
      ...broken.filter(({ message }) => fault.startsWith(message)),
      // `Field n already exists on W` is about W.n.
      ...repeated.filter((definition) => definition.words.every((word) => words.has(word))),
    ];
    const nodes = found.flatMap(({ nodes: atFault = [] }) => atFault);
    return schemaLocations(nodes.length > 0 ? nodes : named(fault));
  };
}

/** The links that a message is about; without any, the definitions of the first element of the document that it quotes. */
function createNamedNodes(document: DocumentNode): (fault: string) => readonly ASTNode[] {
  const links = linksIn(document);
  const elements = Map.groupBy(elementsOf(document), ({ coordinate }) => coordinate);
  return (fault) => {
    const meant = links.filter((link) => isAbout(fault, textArgument(link, 'url') ?? ''));
    const named = quotedIn(fault).find((text) => elements.has(text)) ?? '';
    return meant.length > 0 ? meant : (elements.get(named) ?? []).map(({ node }) => node);
  };
}

/** A message has the URL of a link, with or without its version; or what the URL has in the version's place. */
function isAbout(fault: string, url: string): boolean {
  const end = url.lastIndexOf('/');
  return end > 0 && (fault.includes(url.slice(0, end)) || fault.endsWith(`, got ${url.slice(end + 1)}`));
}

function quotedIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/"([^"]*)"/gu), ([, quoted = '']) => quoted);
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
function directivesOf(document: DocumentNode): GraphQLSchema {
  const links = linksIn(document).map(print);
  const sdl = `${links.length === 0 ? '' : `extend schema ${links.join(' ')}`} type Query { _: Int }`;
  return buildSubgraph('directives', '', sdl).schema.toGraphQLJSSchema();
}
