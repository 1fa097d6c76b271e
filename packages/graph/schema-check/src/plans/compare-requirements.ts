import type { Requirement } from './figures.ts';

/** The requirements that a caller who meets all of those before may not meet, in words; empty where there are none. */
export function addedRequirements(
  before: readonly Requirement[],
  after: readonly Requirement[],
): readonly string[] {
  const held = new Set(
    before.flatMap(({ of, sets }) =>
      sets.length === 1 ? membersOf(of, sets[0] ?? []) : sets.length === 0 ? [] : [authenticated],
    ),
  );
  return after.filter((requirement) => !isImplied(requirement, before, held)).map(({ text }) => text);
}

/** Scopes come from tokens, and policies are asked about callers with one. */
const authenticated = 'authenticated';

/**
 * True where the members that every caller has are enough, or those in any set of one requirement before, with them.
 * Requirements with alternatives are not combined, of which there can be too many: their union counts as more.
 */
function isImplied(
  { of, sets }: Requirement,
  before: readonly Requirement[],
  held: ReadonlySet<string>,
): boolean {
  const isMetBy = (members: ReadonlySet<string>): boolean =>
    sets.some((set) => membersOf(of, set).every((member) => members.has(member)));
  return (
    isMetBy(held) ||
    before.some((known) =>
      known.sets.every((set) => isMetBy(new Set([...held, ...membersOf(known.of, set)]))),
    )
  );
}

function membersOf(of: Requirement['of'], set: readonly string[]): readonly string[] {
  return [authenticated, ...set.map((name) => `${of} ${name}`)];
}
