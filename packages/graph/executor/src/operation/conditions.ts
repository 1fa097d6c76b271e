import type { DirectiveNode, DocumentNode, OperationDefinitionNode, SelectionNode } from 'graphql';
import { Kind, visit } from 'graphql';

import { OperationError } from './operation.ts';

/** The values of the variables of `@skip` and `@include`, by name. */
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

/** Finds the condition variables of an operation and of the fragments of its document. */
export function findConditions(
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): Conditions {
  const names = new Set<string>();
  visit(document, {
    Directive(node) {
      const condition = conditionOf(node);
      if (condition?.kind === Kind.VARIABLE) {
        names.add(condition.name.value);
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
      new Map(declared.map((name) => [name, booleanOf(name, variables[name] ?? defaults.get(name))])),
  };
}

/** True when a selection is part of the operation at all. */
export function isIncluded({ directives = [] }: SelectionNode, values: ConditionValues): boolean {
  return directives.every((directive) => {
    const condition = conditionOf(directive);
    return condition === undefined || isTrue(condition, values) === (directive.name.value === 'include');
  });
}

type ConditionNode = NonNullable<DirectiveNode['arguments']>[number]['value'];

function conditionOf({ name, arguments: nodes }: DirectiveNode): ConditionNode | undefined {
  return name.value === 'skip' || name.value === 'include'
    ? nodes?.find((node) => node.name.value === 'if')?.value
    : undefined;
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
