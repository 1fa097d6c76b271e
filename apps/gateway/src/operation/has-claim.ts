import type { Caller } from '@meridian/auth';

/** True for a caller whose claim has one of the values, or is a list that has one of them. */
export function hasClaim(
  caller: Pick<Caller, 'claims'> | undefined,
  { name, values }: { readonly name: string; readonly values: readonly string[] },
): boolean {
  const held = caller?.claims?.get(name);
  const texts: readonly unknown[] = Array.isArray(held) ? held : [held];
  return texts.some((text) => values.some((value) => value === String(text)));
}
