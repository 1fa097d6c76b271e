/**
 * Writes PostgreSQL's text of a `timestamptz` in UTC, as RFC 3339 has it: `2026-01-02 04:04:05.123456+01` is
 * `2026-01-02T03:04:05.123456Z`. It names the same instant, whatever the session's time zone, always with six digits of
 * microseconds, and PostgreSQL reads it back. `infinity` and years that RFC 3339 cannot write stay as they are.
 */
export function utcTime(text: string): string {
  if (inUtc.test(text)) {
    return `${text.slice(0, 10)}T${text.slice(11, 26)}Z`;
  }
  const parts = pattern.exec(text);
  if (parts === null) {
    return text;
  }
  const [, day, time, microseconds = '', sign, hours, minutes = 0, seconds = 0] = parts;
  const offsetMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  const instantMs = Date.parse(`${day}T${time}Z`) - (sign === '-' ? -offsetMs : offsetMs);
  return new Date(instantMs).toISOString().replace('.000Z', `.${microseconds.padEnd(6, '0')}Z`);
}

/** The format of almost every timestamp in a UTC session, which needs no computation. */
const inUtc = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/u;

/** Historical offsets have seconds. */
const pattern = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/u;
