import { getDirectiveValues } from 'graphql';

import { clientError } from '../errors/client-error.ts';
import type { GuardRule } from './guard.ts';

/** `@pageSize(max:)`: the argument is from 0 to `max`, or null if the schema allows it. Spec: Limits, rule 1. */
export const pageSize: GuardRule = ({ type, field }, schema) => {
  const directive = schema.getDirective('pageSize');
  if (directive === undefined || directive === null) {
    return undefined;
  }
  const bounds = field.args.flatMap((argument) => {
    const max = argument.astNode && getDirectiveValues(directive, argument.astNode)?.['max'];
    return typeof max === 'number' ? [{ name: argument.name, max }] : [];
  });
  if (bounds.length === 0) {
    return undefined;
  }
  return (argumentValues) => {
    for (const { name, max } of bounds) {
      const size = argumentValues[name];
      if (typeof size === 'number' && (size < 0 || size > max)) {
        throw clientError(
          'PAGE_SIZE_LIMIT',
          `${type.name}.${field.name}(${name}:) takes 0 to ${max}, not ${size}`,
        );
      }
    }
  };
};
