import type { DirectiveNode, DocumentNode, OperationDefinitionNode, SelectionNode } from 'graphql';
import { Kind, visit } from 'graphql';

import { OperationError } from './operation.ts';

/** The values of the variables of `@skip`, `@include` and, where it is supported, `@defer`, by name. */
export type ConditionValues = ReadonlyMap<string, boolean>;

type Variables = Readonly<Record<string, unknown>>;

/**
 * The conditions of an operation. They are resolved before planning, once for each combination of their values: the
 * planner's own condition nodes lose the parents of nested ones, and null the siblings of a conditional `@requires`.
 */
export interface Conditions {
  /**
   * The values in one run.
   *
   * @throws {OperationError} when one is not a boolean
   */
  valuesIn(variables: Variables): ConditionValues;
}

const none: ConditionValues = new Map();

/**
 * Finds the condition variables of an operation and of the fragments of its document.
 *
 * @param isDeferring false where `@defer` is ignored
 */
export function findConditions(
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
  isDeferring: boolean,
): Conditions {
  const names = new Set<string>();
  const required = new Set<string>();
  visit(document, {
    Directive(node) {
      const isOfDefer = node.name.value === 'defer';
      const condition = isOfDefer ? isDeferring && argumentOf(node, 'if') : conditionOf(node);
      if (condition && condition.kind === Kind.VARIABLE) {
        names.add(condition.name.value);
        if (!isOfDefer) {
          required.add(condition.name.value);
        }
      }
    },
  });
  const defaults = new Map(
    variableDefinitions.map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue?.kind === Kind.BOOLEAN ? defaultValue.value : undefined,
    ]),
  );
  // A fragment of another operation of the document may use a variable that this one does not declare.
  const declared = [...names].filter((name) => defaults.has(name));
  if (declared.length === 0) {
    return { valuesIn: () => none };
  }
  return {
    valuesIn: (variables) =>
      new Map(
        declared.map((name) => {
          const value = variables[name] ?? defaults.get(name);
          // The `if` of a `@defer` has a default.
          return [name, value === undefined && !required.has(name) ? true : booleanOf(name, value)];
        }),
      ),
  };
}

/** True when a selection is part of the operation at all. */
export function isIncluded({ directives = [] }: SelectionNode, values: ConditionValues): boolean {
  return directives.every((directive) => {
    const condition = conditionOf(directive);
    return condition === undefined || isTrue(condition, values) === (directive.name.value === 'include');
  });
}

/** The active `@defer` of a selection. */
export function activeDefer(
  { directives = [] }: SelectionNode,
  values: ConditionValues,
): DirectiveNode | undefined {
  const directive = directives.find(({ name }) => name.value === 'defer');
  const condition = directive && argumentOf(directive, 'if');
  return condition === undefined || isTrue(condition, values) ? directive : undefined;
}

/** The label of a `@defer`: a literal, in a valid operation. */
export function labelOf(directive: DirectiveNode): string | undefined {
  const label = argumentOf(directive, 'label');
  return label?.kind === Kind.STRING ? label.value : undefined;
}

type ConditionNode = NonNullable<DirectiveNode['arguments']>[number]['value'];

function conditionOf(directive: DirectiveNode): ConditionNode | undefined {
  const { value } = directive.name;
  return value === 'skip' || value === 'include' ? argumentOf(directive, 'if') : undefined;
}

function argumentOf({ arguments: nodes }: DirectiveNode, name: string): ConditionNode | undefined {
  return nodes?.find((node) => node.name.value === name)?.value;
}

function isTrue(condition: ConditionNode, values: ConditionValues): boolean {
  return condition.kind === Kind.VARIABLE
    ? values.get(condition.name.value) === true
    : condition.kind === Kind.BOOLEAN && condition.value;
}

function booleanOf(name: string, value: unknown): boolean {
  if (typeof value !== 'boolean') {
    throw new OperationError(`The variable "$${name}" is not a boolean`);
  }
  return value;
}
