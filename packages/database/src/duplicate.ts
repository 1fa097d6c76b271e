/**
 * Whether something could not be made because it is there already: duplicate_table, duplicate_database and
 * duplicate_object, and unique_violation on a catalogue's index, which is what the slower of two at once gets.
 */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && duplicateCodes.has(error.code);
}

const duplicateCodes = new Set<unknown>(['42P07', '42P04', '42710', '23505']);
