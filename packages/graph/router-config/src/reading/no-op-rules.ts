import type { Place } from '../declaration/place.ts';
import type { RouterConfig } from '../sections/router-file.ts';
import type { HeaderOperation } from '../sections/headers.ts';
import { objectInContext } from '../sections/headers.ts';
import { gatewayOnlyHeaders, reservedHeaders } from '../sections/sent-headers.ts';

/** A rule about the header fields of requests to subgraphs, with its place and the rules that apply before it. */
interface PlacedRule {
  readonly rule: HeaderOperation;
  readonly at: Place;
  readonly before: () => readonly HeaderOperation[];
}

/** The rules for all subgraphs, then those for single ones. */
export function headerRules({ headers: { all, subgraphs } }: RouterConfig, root: Place): PlacedRule[] {
  const at = root.at('headers');
  const forAll = all.request.operations;
  const locations = [
    { location: at.at('all'), rules: forAll, first: [] },
    ...Array.from(subgraphs, ([name, { request }]) => ({
      location: at.at('subgraphs').at(name),
      rules: request.operations,
      first: forAll,
    })),
  ];
  return locations.flatMap(({ location, rules, first }) =>
    rules.map((rule, index) => ({
      rule,
      at: location.at('request').at('operations').at(index),
      before: () => [...first, ...rules.slice(0, index)],
    })),
  );
}

/** One sentence for each header rule that never changes anything, whatever a client sends. */
export function rulesWithoutEffect(config: RouterConfig, root: Place): string[] {
  const isContextSet = config.coprocessor !== undefined || config.meridian.hooks.length > 0;
  return headerRules(config, root).flatMap(({ rule, at, before }) => {
    const reason =
      isContextSet || !isOfStages(rule)
        ? reasonAgainst(rule, before)
        : 'neither a coprocessor nor a hook sets a value under this key';
    return reason === undefined ? [] : [`${at.written} has no effect: ${reason}`];
  });
}

/** True for a rule about a key that the gateway never sets. */
function isOfStages({ insert }: HeaderOperation): boolean {
  const key = insert?.from_context;
  return key !== undefined && !/^(?:apollo|meridian|operation_)/.test(key);
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
  // Removed alone, it says that a subgraph gets no token on purpose: the gateway warns of one that has no such rule.
  const isStatement = remove?.named?.toLowerCase() === 'authorization';
  return remove === undefined || isStatement || before().some((rule) => mayAdd(rule, remove))
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
