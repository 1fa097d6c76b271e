import { SchemaError, text as textSchema } from '@meridian/json';
import type { Schema } from '@meridian/json';
import { textType } from '@meridian/settings/values';
import type { ValueType } from '@meridian/settings/values';

const pattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|\+00:00)$/u;

/** A moment in UTC (RFC 3339), with microseconds at most, which the store keeps. It stays text: a Date would lose those. */
export const utcMoment: ValueType<string> = textType(
  'a time in UTC (RFC 3339), such as 2026-01-02T03:04:05.123456Z',
  (text) => (pattern.test(text) && isOnCalendar(text) ? text : undefined),
  { type: 'string', format: 'date-time' },
);

/** The same in a body. */
export function momentSchema(description: string): Schema<string> {
  const schema = textSchema({ format: 'date-time', takes: utcMoment.takes, pattern, description });
  return {
    ...schema,
    read(json, path) {
      const text = schema.read(json, path);
      if (!isOnCalendar(text)) {
        throw new SchemaError(`${path} is not ${utcMoment.takes}`);
      }
      return text;
    },
  };
}

/** `Date` takes February 30 for March 1 or 2. PostgreSQL has no year 0. */
function isOnCalendar(text: string): boolean {
  const ms = Date.parse(text);
  return (
    !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text.slice(0, 19)) && !text.startsWith('0000')
  );
}
