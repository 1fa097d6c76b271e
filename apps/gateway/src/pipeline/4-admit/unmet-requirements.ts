import type { Caller } from '@meridian/auth';

import type { Requirement } from '../../supergraph/access-rules.ts';

/** The requirements that a caller does not meet; an anonymous caller meets none. */
export function unmetRequirements(
  requirements: readonly Requirement[],
  caller: Caller | undefined,
): readonly Requirement[] {
  return requirements.filter(({ of, sets }) => !sets.some((names) => holdsAll(caller, of, names)));
}

function holdsAll(caller: Caller | undefined, of: Requirement['of'], names: readonly string[]): boolean {
  return caller !== undefined && names.every((name) => caller[of]?.has(name) === true);
}
