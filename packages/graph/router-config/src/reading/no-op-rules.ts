import type { Place } from '../declaration/place.ts';
import type { RouterConfig } from '../sections/router-file.ts';
import type { HeaderOperation } from '../sections/headers.ts';
import { objectInContext } from '../sections/headers.ts';
import { gatewayOnlyHeaders, reservedHeaders } from '../sections/sent-headers.ts';

/** One sentence for each header rule that never changes anything, whatever a client sends. */
export function rulesWithoutEffect({ headers: { all, subgraphs } }: RouterConfig, root: Place): string[] {
  const forAll = all.request.operations;
  const at = root.at('headers');
  return [
    ...sentencesOn(at.at('all'), forAll, []),
    ...Array.from(subgraphs, ([name, { request }]) =>
      sentencesOn(at.at('subgraphs').at(name), request.operations, forAll),
    ).flat(),
  ];
}

function sentencesOn(
  location: Place,
  rules: readonly HeaderOperation[],
  before: readonly HeaderOperation[],
): string[] {
  const at = location.at('request').at('operations');
  return rules.flatMap((rule, index) => {
    const reason = reasonAgainst(rule, () => [...before, ...rules.slice(0, index)]);
    return reason === undefined ? [] : [`${at.at(index).written} has no effect: ${reason}`];
  });
}

/** The reason why a rule changes nothing, given the rules before it; undefined when it may have an effect. */
function reasonAgainst(
  { insert, propagate, remove }: HeaderOperation,
  before: () => readonly HeaderOperation[],
): string | undefined {
  const target = insert?.name ?? propagate?.rename ?? propagate?.named;
  if (target !== undefined && gatewayOnlyHeaders.has(target.toLowerCase())) {
    return `${target.toLowerCase()} is set by the gateway alone`;
  }
  if (insert?.from_context === objectInContext) {
    return 'the claims are an object, and only a text is inserted, as in Apollo Router; meridian::subject, meridian::tenant_id, meridian::issuer and meridian::scope are texts';
  }
  return remove === undefined || before().some((rule) => mayAdd(rule, remove))
    ? undefined
    : 'no rule before it adds what it removes, and what no rule adds is not sent';
}

/** True when a rule may have added a field that another removes. */
function mayAdd(
  { insert, propagate }: HeaderOperation,
  remove: NonNullable<HeaderOperation['remove']>,
): boolean {
  const isRemoved = (name: string): boolean =>
    remove.named === undefined
      ? remove.matching?.test(name) === true && !reservedHeaders.has(name)
      : remove.named.toLowerCase() === name;
  const added = insert?.name ?? propagate?.rename ?? propagate?.named;
  if (added !== undefined) {
    return isRemoved(added.toLowerCase());
  }
  // The intersection of two expressions is not decidable here.
  const matching = propagate?.matching;
  return matching !== undefined && (remove.named === undefined || matching.test(remove.named.toLowerCase()));
}
