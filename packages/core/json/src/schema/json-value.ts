/** A JSON value to be written, in which an integer may be exact. A member that is undefined is left out. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: JsonValue | undefined;
}

/** The JSON text of a value, a `bigint` digit for digit. */
export function writeJson(value: JsonValue): string {
  if (typeof value === 'bigint') {
    return String(value);
  }
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value);
  }
  if (isArray(value)) {
    return `[${value.map(writeJson).join()}]`;
  }
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${JSON.stringify(name)}:${writeJson(member)}`],
  );
  return `{${members.join()}}`;
}

/** `Array.isArray`, which does not narrow a read-only array. */
function isArray(value: readonly JsonValue[] | JsonObject): value is readonly JsonValue[] {
  return Array.isArray(value);
}
