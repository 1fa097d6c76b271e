import type { Caller } from '@meridian/auth';

/** True for a caller whose claim has one of the values, or is a list that has one of them. */
export function hasClaim(
  caller: Pick<Caller, 'claims'> | undefined,
  { name, values }: { readonly name: string; readonly values: readonly string[] },
): boolean {
  const held = claimTexts(caller, name);
  return values.some((value) => held.includes(value));
}

/** The values of a caller's claim as texts: all of a list, or the only one; none of an object. */
export function claimTexts(caller: Pick<Caller, 'claims'> | undefined, name: string): readonly string[] {
  const held = caller?.claims?.get(name) ?? [];
  const values: readonly unknown[] = Array.isArray(held) ? held : [held];
  return values.filter((value) => typeof value !== 'object').map(String);
}
