import type { DirectiveNode, DocumentNode, ValueNode } from 'graphql';
import { Kind } from 'graphql';

import { selectionSets } from './selection-sets.ts';
import type { Defers } from './admitted-operation.ts';

/** The condition under which a valid operation defers at least one fragment; undefined if it never does. */
export function findDefers(document: DocumentNode): Defers | undefined {
  const conditions = selectionSets(document)
    .flatMap(({ selections }) => selections)
    .flatMap((selection) => (selection.kind === Kind.FIELD ? [] : (selection.directives ?? [])))
    .filter(({ name }) => name.value === 'defer')
    .map(conditionOf);
  if (conditions.some((condition) => condition === true)) {
    return () => true;
  }
  const variableNames = conditions.filter((condition) => typeof condition === 'string');
  return variableNames.length === 0
    ? undefined
    : (variables) => variableNames.some((name) => variables[name] !== false);
}

/** The value of `if`, or the name of the variable that has it. */
function conditionOf({ arguments: given = [] }: DirectiveNode): boolean | string {
  const condition: ValueNode | undefined = given.find(({ name }) => name.value === 'if')?.value;
  if (condition?.kind === Kind.VARIABLE) {
    return condition.name.value;
  }
  return condition?.kind !== Kind.BOOLEAN || condition.value;
}
