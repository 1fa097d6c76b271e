import { ExactNumber } from '@meridian/json';
import { isRecord } from '@meridian/settings/values';
import type { FieldNode } from 'graphql';
import { valueFromASTUntyped } from 'graphql';

import type { FieldCost, InputWeight } from '../../supergraph/field-costs.ts';
import type { Variables } from '../../operation/admitted-operation.ts';

/** The values that are passed to a field, with variables replaced; absent arguments are left out. */
export function argumentValues(
  { arguments: nodes = [] }: FieldNode,
  variables: Variables,
): Record<string, unknown> {
  const passed = nodes.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)] as const);
  return Object.fromEntries(passed.filter(([, value]) => value !== undefined));
}

/** The cost of argument values, independent of the number of executions. */
export function costOfArguments(
  { argumentWeight }: FieldCost,
  values: Readonly<Record<string, unknown>>,
): number {
  return Object.entries(values).reduce((cost, [name, value]) => {
    const weight = argumentWeight(name);
    return weight === undefined ? cost : cost + costOfInput(value, weight);
  }, 0);
}

function costOfInput(value: unknown, weight: InputWeight): number {
  if (value === null || value === undefined) {
    return 0;
  }
  if (Array.isArray(value)) {
    return value.reduce<number>((cost, item: unknown) => cost + costOfInput(item, weight), weight.weight);
  }
  if (isRecord(value) && !(value instanceof ExactNumber)) {
    return Object.entries(value).reduce((cost, [name, member]) => {
      const memberWeight = weight.fieldWeight(name);
      return memberWeight === undefined ? cost : cost + costOfInput(member, memberWeight);
    }, weight.objectWeight);
  }
  return weight.weight;
}
