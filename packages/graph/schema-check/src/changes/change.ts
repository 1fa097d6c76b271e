import { createHash } from 'node:crypto';

import type { ChangeKind, Level } from './kinds.ts';
import { kindOf } from './kinds.ts';
import type { Pairs } from './pair-by-key.ts';
import { pairTexts } from './pair-by-key.ts';

/** A change between two graphs. */
export interface Change {
  readonly kind: ChangeKind;
  readonly level: Level;
  /**
   * A schema coordinate (`Product.stock`, `Query.orders(first:)`, `@pageSize(max:)`); `subgraph <name>`, or `operation
   * <name>`.
   */
  readonly coordinate: string;
  /** Absent for what was not there. */
  readonly before: string | undefined;
  /** Absent for what is gone. */
  readonly after: string | undefined;
  /** The subgraph whose own definition changed; absent where composition says which. */
  readonly subgraph?: string | undefined;
  /** A sentence that says more than the values. It does not identify the change. */
  readonly detail?: string | undefined;
}

/** The values of a change, and what its kind does not say. */
export interface Details {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** Default: the kind's. */
  readonly level?: Level;
  readonly subgraph?: string | undefined;
  readonly detail?: string;
}

export function changeOf(
  kind: ChangeKind,
  coordinate: string,
  { before, after, level = kindOf(kind).level, subgraph, detail }: Details = {},
): Change {
  return { kind, level, coordinate, before, after, subgraph, detail };
}

/** The change of a value; none where it is the same. */
export function changesOfValue(
  kind: ChangeKind,
  coordinate: string,
  before: string | null | undefined,
  after: string | null | undefined,
  details: Pick<Details, 'level' | 'subgraph'> = {},
): Change[] {
  return (before ?? undefined) === (after ?? undefined)
    ? []
    : [changeOf(kind, coordinate, { ...details, before: before ?? undefined, after: after ?? undefined })];
}

type SetKinds = readonly [removed: ChangeKind, added: ChangeKind];

/** The changes of a set: one for each element that left it, and one for each that joined it. */
export function changesOfSet<Element>(
  [removedKind, addedKind]: SetKinds,
  { added, removed }: Pairs<Element>,
  describe: (element: Element) => {
    readonly coordinate: string;
    readonly value?: string;
    readonly subgraph?: string;
  },
): Change[] {
  const changed = (kind: ChangeKind, key: 'before' | 'after') => (element: Element) => {
    const { coordinate, value, subgraph } = describe(element);
    return changeOf(kind, coordinate, { [key]: value, subgraph });
  };
  return [...removed.map(changed(removedKind, 'before')), ...added.map(changed(addedKind, 'after'))];
}

/** The changes of a set of texts that belong to one element. */
export function changesOfTexts(
  kinds: SetKinds,
  coordinate: string,
  before: Iterable<string>,
  after: Iterable<string>,
  details: { readonly subgraph?: string } = {},
): Change[] {
  return changesOfSet(kinds, pairTexts(before, after), (value) => ({ coordinate, value, ...details }));
}

/** A change as a sentence without its full stop. It names subgraph and values once each. */
export function describeChange(change: Change): string {
  const { level, coordinate, before, after, subgraph, detail } = change;
  const says = saysOf(change);
  // The place of what breaks a rule has the subgraph.
  const isNamed =
    level === 'lint' || coordinate === `subgraph ${subgraph}` || subgraph === before || subgraph === after;
  const place = subgraph === undefined || isNamed ? '' : ` in ${subgraph}`;
  const values = detail === undefined ? valuesOf(change) : detail.replaceAll(/\s+/gu, ' ');
  return `${coordinate} ${says}${place}${values === '' ? '' : `: ${values}`}`;
}

const addsOrRemoves = /_(?:ADDED|REMOVED|JOINED|LEFT)$/u;

/** Says `has a new default` and `lost its default` in place of `has another default`, where one side has none. */
function saysOf({ kind, before, after }: Change): string {
  const { says } = kindOf(kind);
  if (addsOrRemoves.test(kind) || (before === undefined) === (after === undefined)) {
    return says;
  }
  return before === undefined
    ? says.replace('has another', 'has a new').replace('links another version of', 'links')
    : says.replace('has another', 'lost its').replace('links another version of', 'no longer links');
}

/**
 * `String → Int`; `Int!` of what is added or removed; `none → @authenticated` of what needs more; nothing where the
 * coordinate has the value already.
 */
function valuesOf(change: Change): string {
  const { kind, coordinate, before, after } = change;
  const known = [before, after].filter((value) => value !== undefined);
  if (before !== undefined && before === after) {
    return oneLine(before);
  }
  if (known.length === 1 && (addsOrRemoves.test(kind) || saysOf(change) !== kindOf(kind).says)) {
    const value = known.join('');
    return coordinate.endsWith(`.${value}`) ? '' : oneLine(value);
  }
  const values = [before, after].map((value) => (value === undefined ? 'none' : oneLine(value)));
  return known.length === 0 ? '' : values.join(' → ');
}

/** The longest value in a sentence. */
const maxShown = 160;

function oneLine(text: string): string {
  const line = text.replaceAll('\n', ' ');
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line;
}

/** A change, or one of a report, which has null for what is absent. */
interface IdentifiedChange {
  readonly kind: string;
  readonly coordinate: string;
  readonly before: string | null | undefined;
  readonly after: string | null | undefined;
  readonly subgraph?: string | null | undefined;
}

/**
 * Identifies a change, without lines or commits: it survives pushes, rebases and merge queues.
 *
 * @param graph its name; null for the whole graph
 */
export function fingerprintOf(
  { kind, coordinate, before, after, subgraph }: IdentifiedChange,
  graph: string | null,
): string {
  const ofGraph = graph === null ? [] : [graph];
  return createHash('sha256')
    .update(JSON.stringify([kind, coordinate, before ?? null, after ?? null, subgraph ?? null, ...ofGraph]))
    .digest('hex')
    .slice(0, 16);
}
