import { schemaError } from './schema-error.ts';
import type { Annotations, Schema } from './schema.ts';

export interface TextOptions extends Annotations {
  /**
   * A regular expression with the flag `u`, as in JSON Schema. It is not anchored by itself. Clients in other languages
   * get it too: no `\p`, no look-around (JSON Schema Core §6.4).
   */
  readonly pattern?: RegExp;
  /** In code points. */
  readonly maxLength?: number;
  /** A format that JSON Schema knows, such as `date-time`; only documented, not checked. */
  readonly format?: string;
  /** The expected value, for the error. Default: `a string`. */
  readonly takes?: string;
}

/** For a text without control characters: `\P{Cc}`, in the syntax that all languages have. */
// oxlint-disable-next-line no-control-regex -- they are what it excludes
export const printable = /^[^\x00-\x1f\x7f-\x9f]*$/u;

/** A string, within bounds. */
export function text({
  takes = 'a string',
  pattern,
  maxLength,
  ...annotations
}: TextOptions = {}): Schema<string> {
  return {
    read(json, path = '') {
      const isAccepted =
        typeof json === 'string' &&
        !isLonger(json, maxLength) &&
        (pattern === undefined || pattern.test(json));
      if (!isAccepted) {
        throw schemaError(path, `is not ${takes}`);
      }
      return json;
    },
    write: (value) => JSON.stringify(value),
    jsonSchema: () => ({ type: 'string', pattern: pattern?.source, maxLength, ...annotations }),
  };
}

function isLonger(value: string, maxLength = Number.POSITIVE_INFINITY): boolean {
  // A text has at most as many code points as UTF-16 code units, so most need no count.
  return value.length > maxLength && Array.from(value).length > maxLength;
}
