import type { Element } from '@meridian/composition/sdl/elements';
import { elementsOf, namedTypeOf, rootTypesOf } from '@meridian/composition/sdl/elements';
import { argumentOf } from '@meridian/composition/sdl/directive-values';
import type { ConstDirectiveNode, OperationTypeNode } from 'graphql';
import { Kind } from 'graphql';

import type { SubgraphSource } from '../changes/graph.ts';

/** A subgraph's schema, as the rules read it. */
export interface LintedSchema {
  /** Without the elements of specifications, whose names have two underscores or start with one. */
  readonly elements: readonly Element[];
  /** The name of a root type, and its operations. */
  readonly rootTypes: ReadonlyMap<string, OperationTypeNode>;
  /** The directives of a type, by its definition and its extensions. */
  readonly directivesOf: (typeName: string) => readonly ConstDirectiveNode[];
  /** The object types, interfaces and unions. */
  readonly composites: ReadonlySet<string>;
  /** The lists that fields name in `sizedFields`, by the types that these fields return. */
  readonly sizedLists: ReadonlySet<string>;
  /** The elements that any subgraph describes. */
  readonly described: ReadonlySet<string>;
}

/** Prepares the schemas of one graph for the rules. */
export function readLintedSchemas(sources: readonly SubgraphSource[]): readonly LintedSchema[] {
  const all = sources.map(({ document }) => [...elementsOf(document)].filter(isOwn));
  const described = coordinatesOf(
    all.flat().filter(({ node }) => 'description' in node && node.description !== undefined),
  );
  return all.map((elements) => {
    const types = Map.groupBy(elements, ({ coordinate }) => coordinate);
    return {
      elements,
      rootTypes: rootTypesOf(elements),
      directivesOf: (name) => (types.get(name) ?? []).flatMap(({ directives }) => directives),
      composites: coordinatesOf(
        elements.filter(({ node }) => /^(?:Object|Interface|Union)Type/u.test(node.kind)),
      ),
      sizedLists: sizedListsOf(elements),
      described,
    };
  });
}

function isOwn({ coordinate }: Element): boolean {
  return !/(?:^|[.(@])_|__/u.test(coordinate);
}

function coordinatesOf(elements: readonly Element[]): ReadonlySet<string> {
  return new Set(elements.map(({ coordinate }) => coordinate));
}

function sizedListsOf(elements: readonly Element[]): ReadonlySet<string> {
  return new Set(
    elements.flatMap(({ node, directives }) => {
      const listSize = directiveOf(directives, 'listSize');
      const fields = listSize && argumentOf(listSize, 'sizedFields');
      return node.kind === Kind.FIELD_DEFINITION && fields?.kind === Kind.LIST
        ? fields.values.map((field) =>
            field.kind === Kind.STRING ? `${namedTypeOf(node.type)}.${field.value}` : '',
          )
        : [];
    }),
  );
}

/** Finds a directive, also one that is imported with the prefix of its specification. */
export function directiveOf(
  directives: readonly ConstDirectiveNode[],
  name: string,
): ConstDirectiveNode | undefined {
  return directives.find(
    (directive) => directive.name.value === name || directive.name.value.endsWith(`__${name}`),
  );
}
