/**
 * True when an object could not be created because it exists: duplicate_table, duplicate_database, duplicate_object, or
 * unique_violation on a catalogue's index, which the slower of two concurrent statements gets.
 */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && duplicateCodes.has(error.code);
}

const duplicateCodes = new Set<unknown>(['42P07', '42P04', '42710', '23505']);
