import type { ExactJson } from '../parse/exact-json.ts';

import { shapeError } from './schema-error.ts';
import type { Shape } from './schema.ts';

/** An array, each item of the same shape. */
export function listOf<Item>(
  item: Shape<Item>,
  { maxItems, description }: { readonly maxItems?: number; readonly description?: string } = {},
): Shape<readonly Item[]> {
  return {
    read(json, path = '') {
      if (!isArray(json)) throw shapeError(path, 'is not a JSON array');
      if (maxItems !== undefined && json.length > maxItems)
        throw shapeError(path, `has more than ${maxItems} items`);
      return json.map((member, index) => item.read(member, `${path}[${index}]`));
    },
    write: (items) => `[${items.map((value) => item.write(value)).join()}]`,
    schema: (refer) => ({ type: 'array', description, items: item.schema(refer), maxItems }),
  };
}

/** `Array.isArray`, which does not narrow a read-only array. */
function isArray(json: ExactJson): json is readonly ExactJson[] {
  return Array.isArray(json);
}
