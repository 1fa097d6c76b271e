import { schemaError } from './schema-error.ts';
import type { Annotations, Schema } from './schema.ts';

/** One of a few strings. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
  annotations: Annotations = {},
): Schema<Value> {
  return {
    read(json, path = '') {
      const found = values.find((value) => value === json);
      if (found === undefined) {
        throw schemaError(path, `is not one of ${values.join(', ')}`);
      }
      return found;
    },
    write: (value) => JSON.stringify(value),
    jsonSchema: () => ({ type: 'string', enum: values, ...annotations }),
  };
}
