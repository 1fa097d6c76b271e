import { shapeError } from './schema-error.ts';
import type { Annotations, Shape } from './schema.ts';

/** One of a few strings. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
  annotations: Annotations = {},
): Shape<Value> {
  return {
    read(json, path = '') {
      const found = values.find((value) => value === json);
      if (found === undefined) throw shapeError(path, `is not one of ${values.join(', ')}`);
      return found;
    },
    write: (value) => JSON.stringify(value),
    schema: () => ({ type: 'string', enum: values, ...annotations }),
  };
}
