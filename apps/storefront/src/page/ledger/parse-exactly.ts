/** Parses JSON whose amounts, the members in minor units, become bigints: a double would lose digits beyond 2^53. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (name: string, value: unknown, ...[context]: { source: string }[]) =>
    name.endsWith('_minor_units') && typeof value === 'number' ? BigInt(context?.source ?? value) : value,
  );
}
