import { argumentOf } from '@meridian/composition/sdl/directive-values';
import type { Element } from '@meridian/composition/sdl/elements';
import { namedTypeOf } from '@meridian/composition/sdl/elements';
import type { TypeNode } from 'graphql';
import { Kind, OperationTypeNode, isTypeDefinitionNode, isTypeExtensionNode, print } from 'graphql';

import type { ChangeKind } from '../changes/kinds.ts';
import type { LintedSchema } from './linted-schema.ts';
import { directiveOf } from './linted-schema.ts';

/** Judges an element of a schema: the kind of its fault; undefined where it has none. */
export type LintRule = (element: Element, schema: LintedSchema) => ChangeKind | undefined;

/** A root field says who may use it: a mutation by its scopes or a policy, any other at least by `@authenticated`. */
const authorization: LintRule = ({ parent = '', node, directives }, { rootTypes, directivesOf }) => {
  const operation = rootTypes.get(parent);
  if (operation === undefined || node.kind !== Kind.FIELD_DEFINITION) {
    return undefined;
  }
  const applied = [...directives, ...directivesOf(parent)];
  const isEnough = operation === OperationTypeNode.MUTATION ? [] : ['authenticated'];
  return ['requiresScopes', 'policy', ...isEnough].some((name) => directiveOf(applied, name))
    ? undefined
    : 'LINT_NO_AUTHORIZATION';
};

/**
 * A list of objects has `@listSize`, by which the gateway estimates its cost, and a page size has `@pageSize`, so that no
 * request can ask for everything. A list within a page, as `edges` of a connection, is bounded by the field that returns
 * the page and names it in `sizedFields`.
 */
const boundedLists: LintRule = ({ coordinate, node, directives }, { composites, sizedLists }) => {
  const lacks = (name: string): boolean => directiveOf(directives, name) === undefined;
  if (/\((?:first|last):/u.test(coordinate)) {
    return lacks('pageSize') ? 'LINT_NO_PAGE_SIZE' : undefined;
  }
  return node.kind === Kind.FIELD_DEFINITION &&
    composites.has(namedTypeOf(node.type)) &&
    /\]!?$/u.test(print(node.type)) &&
    lacks('listSize') &&
    lacks('external') &&
    !sizedLists.has(coordinate)
    ? 'LINT_NO_LIST_SIZE'
    : undefined;
};

/** A deprecation has a reason, which tells clients what to use instead. */
const deprecationReasons: LintRule = ({ directives }) => {
  const deprecated = directiveOf(directives, 'deprecated');
  return deprecated && argumentOf(deprecated, 'reason') === undefined
    ? 'LINT_NO_DEPRECATION_REASON'
    : undefined;
};

/**
 * Types, fields, input fields and enum values have a description, in one of the subgraphs. Root types and arguments need
 * none: their names say enough.
 */
const descriptions: LintRule = ({ coordinate, parent, node }, { rootTypes, described }) => {
  const needsOne =
    parent === undefined ? isType(node) && !rootTypes.has(coordinate) : !coordinate.includes('(');
  return needsOne && !described.has(coordinate) ? 'LINT_NO_DESCRIPTION' : undefined;
};

/** Fields, arguments and input fields that are named after an identifier are of the type `ID`; the field `id` is `ID!`. */
const ids: LintRule = ({ node }) => {
  if (!('type' in node)) {
    return undefined;
  }
  const name = node.name.value;
  const isKept =
    node.kind === Kind.FIELD_DEFINITION && name === 'id'
      ? print(node.type) === 'ID!'
      : namedTypeOf(node.type) === 'ID' || !/^ids?$|[a-z0-9]Ids?$/u.test(name);
  return isKept ? undefined : 'LINT_ID_TYPE';
};

/**
 * Types are in PascalCase, enum values in UPPER_CASE; fields, arguments and input fields are in camelCase. A directive may
 * have any name.
 */
const names: LintRule = ({ node }) => {
  const form = isType(node)
    ? /^[A-Z][A-Za-z0-9]*$/u
    : node.kind === Kind.ENUM_VALUE_DEFINITION
      ? /^[A-Z][A-Z0-9_]*$/u
      : /^[a-z][A-Za-z0-9]*$/u;
  const isNamed = 'name' in node && node.kind !== Kind.DIRECTIVE_DEFINITION;
  return isNamed && !form.test(node.name?.value ?? '') ? 'LINT_NAME' : undefined;
};

/**
 * A root field is nullable: where a non-null one fails, the response has no data at all, although other root fields
 * succeeded. A list may be non-null if its items are nullable, since then no item can do that.
 */
const nullableRootFields: LintRule = ({ parent = '', node }, { rootTypes }) =>
  rootTypes.has(parent) && node.kind === Kind.FIELD_DEFINITION && takesAllWithIt(node.type)
    ? 'LINT_NON_NULL_ROOT_FIELD'
    : undefined;

/** The rules of the house, by their keys under `lint` of schema-check.yaml. */
export const lintRules = {
  authorization,
  bounded_lists: boundedLists,
  deprecation_reasons: deprecationReasons,
  descriptions,
  ids,
  names,
  nullable_root_fields: nullableRootFields,
} as const satisfies Record<string, LintRule>;

export type LintRuleName = keyof typeof lintRules;

export const lintRuleNames: readonly LintRuleName[] = Object.keys(lintRules).filter(isLintRuleName);

function isLintRuleName(name: string): name is LintRuleName {
  return Object.hasOwn(lintRules, name);
}

function isType(node: Element['node']): boolean {
  return isTypeDefinitionNode(node) || isTypeExtensionNode(node);
}

function takesAllWithIt(type: TypeNode): boolean {
  return (
    type.kind === Kind.NON_NULL_TYPE && (type.type.kind !== Kind.LIST_TYPE || takesAllWithIt(type.type.type))
  );
}
