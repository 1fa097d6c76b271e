import type { Attribute, Attributes } from '@meridian/router-config';

import { compileCondition } from '../../selectors/compile-condition.ts';
import type { Select } from '../../selectors/compile-selector.ts';
import { compileSelector } from '../../selectors/compile-selector.ts';
import { isStandard, standardValues } from './standard-values.ts';

/** An attribute with its final name. */
export interface CompiledAttribute {
  readonly name: string;
  readonly select: Select;
}

/**
 * Compiles attributes, once for all requests.
 *
 * @param defaults those that are there without being named
 */
export function compileAttributes(
  attributes: Attributes,
  defaults: readonly CompiledAttribute[] = [],
): readonly CompiledAttribute[] {
  const kept = defaults.filter(({ name }) => !attributes.has(name));
  const named = Array.from(attributes, ([name, attribute]) =>
    compileAttribute(
      name,
      attribute,
      defaults.find((known) => known.name === name),
    ),
  );
  return [...kept, ...named.filter((attribute) => attribute !== undefined)];
}

function compileAttribute(
  name: string,
  attribute: Attribute,
  known: CompiledAttribute | undefined,
): CompiledAttribute | undefined {
  if (attribute.kind === 'custom') {
    const select = compileSelector(attribute.selector);
    const test = attribute.condition === undefined ? undefined : compileCondition(attribute.condition);
    return {
      name,
      select: (request, subgraph) =>
        test === undefined || test(request, subgraph) ? select(request, subgraph) : undefined,
    };
  }
  const select = known?.select ?? (isStandard(name) ? standardValues[name] : undefined);
  return attribute.isOn && select !== undefined ? { name: attribute.alias ?? name, select } : undefined;
}
