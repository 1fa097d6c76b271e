import type { KeyType } from '../declaration/key-type.ts';
import { checked, listOf } from '../declaration/key-type.ts';
import { headerName } from '../declaration/value-types.ts';

const ofAuthority: ReadonlySet<string> = new Set(['authorization', 'cookie']);

/** Names of header fields by which requests may differ and yet be equal: never the ones of a caller's rights. */
export function namesWithoutAuthority(danger: string): KeyType<readonly string[]> {
  return checked(listOf(headerName), (names) =>
    names.some((name) => ofAuthority.has(name.toLowerCase()))
      ? `must not name Authorization or Cookie: ${danger}`
      : undefined,
  );
}
