/** The requirement for seeing a type or a field. */
export interface Requirement {
  /** Identifies the requirement: equal ones have equal keys. */
  readonly key: string;
  /** The kind of the sets: scopes or policies of a caller. */
  readonly of: 'scopes' | 'policies';
  /**
   * All members of one set are enough. One empty set accepts any authenticated caller; no set at all rejects
   * every caller.
   */
  readonly sets: readonly (readonly string[])[];
  /** In words, such as `the scope a or the scopes b and c`. */
  readonly text: string;
}

export function createRequirement(of: Requirement['of'], sets: Requirement['sets']): Requirement {
  return { key: JSON.stringify([of, ...sets]), of, sets, text: describe(of, sets) };
}

/** Requirements that a caller must all meet, in words; undefined where there are none. */
export function describeRequirements(requirements: readonly Requirement[]): string | undefined {
  return requirements.length === 0 ? undefined : requirements.map(({ text }) => text).join('; and ');
}

const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' });

function describe(of: Requirement['of'], sets: Requirement['sets']): string {
  if (sets.length === 0) {
    return `${of} that no caller has`;
  }
  const [one, several] = of === 'scopes' ? ['scope', 'scopes'] : ['policy', 'policies'];
  return alternatives.format(
    sets.map((names) =>
      names.length === 0 ? 'a token' : `the ${names.length === 1 ? one : several} ${listed.format(names)}`,
    ),
  );
}
