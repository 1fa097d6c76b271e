import { listsArgument } from '@meridian/composition/sdl/directive-values';
import type { ConstDirectiveNode } from 'graphql';

import type { Change } from '../change.ts';
import { changeOf } from '../change.ts';

/** A directive with its name in its specification, whatever the supergraph calls it. */
export interface KnownDirective {
  readonly name: string;
  readonly node: ConstDirectiveNode;
}

/** The alternatives of a requirement: a caller who has all members of one of them meets it. */
type Alternatives = readonly ReadonlySet<string>[];

/** The most alternatives that are compared. More count as both tightened and loosened, for a person to review. */
const maxAlternatives = 256;

/** Compares what callers need for an element: `@authenticated`, `@requiresScopes` and `@policy`, all of which hold. */
export function compareAuthorization(
  coordinate: string,
  before: readonly KnownDirective[],
  after: readonly KnownDirective[],
): Change[] {
  const texts = { before: textOf(before), after: textOf(after) };
  if (texts.before === texts.after) {
    return [];
  }
  const [needed, needs] = [alternativesOf(before), alternativesOf(after)];
  const isComparable = needed !== undefined && needs !== undefined;
  return [
    ...(isComparable && accepts(needs, needed)
      ? []
      : [changeOf('AUTHORIZATION_TIGHTENED', coordinate, texts)]),
    ...(isComparable && accepts(needed, needs)
      ? []
      : [changeOf('AUTHORIZATION_LOOSENED', coordinate, texts)]),
  ];
}

/** True when every caller that meets `narrow` meets `wide`. */
function accepts(wide: Alternatives, narrow: Alternatives): boolean {
  return narrow.every((held) => wide.some((needed) => [...needed].every((member) => held.has(member))));
}

/** Undefined where there are too many. */
function alternativesOf(directives: readonly KnownDirective[]): Alternatives | undefined {
  let alternatives: Alternatives = [new Set()];
  for (const directive of directives) {
    const others = alternativesIn(directive);
    if (alternatives.length * others.length > maxAlternatives) {
      return undefined;
    }
    alternatives = alternatives.flatMap((one) => others.map((other) => new Set([...one].concat(...other))));
  }
  return alternatives;
}

function alternativesIn({ name, node }: KnownDirective): Alternatives {
  if (name === 'authenticated') {
    return [new Set(['authenticated'])];
  }
  const [of, lists] =
    name === 'policy'
      ? ['policy', listsArgument(node, 'policies')]
      : ['scope', listsArgument(node, 'scopes')];
  // Scopes come from tokens, so a caller with one is authenticated.
  return lists.map((members) => new Set(['authenticated', ...members.map((member) => `${of} ${member}`)]));
}

function textOf(directives: readonly KnownDirective[]): string | undefined {
  const texts = directives.map(({ name, node }) => {
    const lists = listsArgument(node, name === 'policy' ? 'policies' : 'scopes');
    const members = lists.map((list) => list.toSorted().join(' and ')).toSorted();
    return members.length === 0 ? `@${name}` : `@${name} ${members.join(' or ')}`;
  });
  return texts.length === 0 ? undefined : texts.toSorted().join(', ');
}
