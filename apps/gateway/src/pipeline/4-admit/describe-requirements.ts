import type { Requirement } from '../../supergraph/access-rules.ts';

const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Requirements in words, such as `the scope a, or the scopes b and c`; undefined where there are none. */
export function describeRequirements(requirements: readonly Requirement[]): string | undefined {
  return requirements.length === 0 ? undefined : requirements.map(describeRequirement).join('; and ');
}

function describeRequirement({ of, sets }: Requirement): string {
  if (sets.length === 0) {
    return `${of} that no caller has`;
  }
  const kind = of === 'scopes' ? ['scope', 'scopes'] : ['policy', 'policies'];
  return alternatives.format(
    sets.map((names) =>
      names.length === 0 ? 'a token' : `the ${kind[names.length === 1 ? 0 : 1]} ${listed.format(names)}`,
    ),
  );
}
