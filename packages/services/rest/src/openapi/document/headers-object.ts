import type { JsonObject } from '@meridian/json';

import type { HeaderDescription } from '../operation/operation.ts';

/** Header fields by name, as OpenAPI writes them. */
export function headersObject(headers: readonly HeaderDescription[]): JsonObject {
  return Object.fromEntries(
    headers.map(({ name, isRequired, description, schema }) => [
      name,
      { description, required: isRequired, schema },
    ]),
  );
}
