import type { Element } from '../../changes/federation/elements.ts';
import { namedTypeOf } from '../../changes/federation/elements.ts';
import type { FieldDefinitionNode } from 'graphql';
import { Kind } from 'graphql';

import type { LintFinding, LintRule, LintedSchema } from '../linted-schema.ts';
import { directiveOf, isList } from '../linted-schema.ts';

/**
 * A list of objects has `@listSize`, by which the gateway estimates its cost, and a page size has `@pageSize`, so that no
 * request can ask for everything. A list within a page, as `edges` of a connection, is bounded by the field that returns
 * the page and names it in `sizedFields`.
 */
export const boundedLists: LintRule = (schema) => {
  const sized = sizedLists(schema.elements);
  return schema.elements.flatMap((element): readonly LintFinding[] => {
    const { coordinate, node } = element;
    if (isPageSize(element)) {
      return directiveOf(element.directives, 'pageSize') === undefined
        ? [{ kind: 'LINT_NO_PAGE_SIZE', coordinate }]
        : [];
    }
    return node.kind === Kind.FIELD_DEFINITION && isUnbounded(node, schema) && !sized.has(coordinate)
      ? [{ kind: 'LINT_NO_LIST_SIZE', coordinate }]
      : [];
  });
};

function isPageSize({ coordinate, node }: Element): boolean {
  return (
    node.kind === Kind.INPUT_VALUE_DEFINITION &&
    coordinate.includes('(') &&
    (node.name.value === 'first' || node.name.value === 'last')
  );
}

function isUnbounded({ type, directives = [] }: FieldDefinitionNode, { isComposite }: LintedSchema): boolean {
  return (
    isList(type) &&
    isComposite(namedTypeOf(type)) &&
    directiveOf(directives, 'listSize') === undefined &&
    directiveOf(directives, 'external') === undefined
  );
}

/** The lists that fields name in `sizedFields`, by the types that these fields return. */
function sizedLists(elements: readonly Element[]): ReadonlySet<string> {
  return new Set(
    elements.flatMap(({ node, directives }) => {
      const listSize = directiveOf(directives, 'listSize');
      const sizedFields = listSize?.arguments?.find(({ name }) => name.value === 'sizedFields')?.value;
      return node.kind === Kind.FIELD_DEFINITION && sizedFields?.kind === Kind.LIST
        ? sizedFields.values.map((value) =>
            value.kind === Kind.STRING ? `${namedTypeOf(node.type)}.${value.value}` : '',
          )
        : [];
    }),
  );
}
