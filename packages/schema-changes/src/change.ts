import type { ChangeKind, Kind, Level } from './kinds.ts';
import { kinds } from './kinds.ts';

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
}

interface Details {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** Default: the kind's. */
  readonly level?: Level;
  readonly subgraph?: string;
}

export function changeOf(
  kind: ChangeKind,
  coordinate: string,
  { before, after, level = kinds[kind].level, subgraph }: Details = {},
): Change {
  return { kind, level, coordinate, before, after, subgraph };
}

/** A change as a sentence without its full stop. */
export function describeChange({ kind, coordinate, before, after, subgraph }: Change): string {
  const { says }: Kind = kinds[kind];
  const values = [before, after].map((value) => (value === undefined ? 'none' : oneLine(value)));
  const difference = before === undefined && after === undefined ? '' : `: ${values.join(' → ')}`;
  return `${coordinate} ${says}${subgraph === undefined ? '' : ` in ${subgraph}`}${difference}`;
}

/** The longest value in a sentence. */
const maxShown = 160;

function oneLine(text: string): string {
  const line = text.replaceAll('\n', ' ');
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line;
}
