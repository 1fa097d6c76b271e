import type { ExactJson } from '../parse/exact-json.ts';

import { schemaError } from './schema-error.ts';
import type { Schema } from './schema.ts';

/** An array whose items have one schema. */
export function array<Item>(
  item: Schema<Item>,
  {
    minItems = 0,
    maxItems,
    description,
  }: { readonly minItems?: number; readonly maxItems?: number; readonly description?: string } = {},
): Schema<readonly Item[]> {
  return {
    read(json, path = '') {
      if (!isArray(json)) {
        throw schemaError(path, 'is not a JSON array');
      }
      if (json.length < minItems) {
        throw schemaError(path, `has fewer than ${minItems} items`);
      }
      if (maxItems !== undefined && json.length > maxItems) {
        throw schemaError(path, `has more than ${maxItems} items`);
      }
      return json.map((member, index) => item.read(member, `${path}[${index}]`));
    },
    write(items) {
      let written = '';
      for (const value of items) {
        written += `${written === '' ? '' : ','}${item.write(value)}`;
      }
      return `[${written}]`;
    },
    jsonSchema: (reference) => ({
      type: 'array',
      description,
      items: item.jsonSchema(reference),
      minItems: minItems === 0 ? undefined : minItems,
      maxItems,
    }),
  };
}

/** `Array.isArray`, which does not narrow a read-only array. */
function isArray(json: ExactJson): json is readonly ExactJson[] {
  return Array.isArray(json);
}
