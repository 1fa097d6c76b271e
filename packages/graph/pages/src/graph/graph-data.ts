// The content of the page, as JSON. Subgraphs and operations are named by their places in lists, which keeps large
// graphs small; empty lists are left out of members.
import type { PlannedFetch } from '@meridian/executor';
import type { ClientUse, TypeKind } from '@meridian/schema-check';

export interface GraphData {
  /** ISO 8601. */
  readonly writtenAt: string;
  readonly subgraphs: readonly SubgraphData[];
  readonly types: readonly TypeData[];
  readonly operations: readonly OperationData[];
  readonly usage: UsageData;
}

export interface SubgraphData {
  readonly name: string;
  readonly url: string;
  readonly file?: string | undefined;
  readonly owners: readonly string[];
}

export interface UsageData {
  /** The reason, as a sentence without its full stop. */
  readonly reason: string;
  /** The days of the series below, the oldest first; empty where no use by day is at hand. */
  readonly days: readonly string[];
}

/** Where an element is defined. */
export interface PlaceData {
  /** The subgraph's place in the list. */
  readonly subgraph: number;
  readonly line?: number | undefined;
}

export interface ElementData {
  readonly name: string;
  readonly description?: string | undefined;
  readonly places: readonly PlaceData[];
  /** In words, such as `the scope orders:read`. */
  readonly requires?: string | undefined;
  /** As in `max-age=30, private`. */
  readonly cache?: string | undefined;
}

export interface TypeData extends ElementData {
  readonly kind: TypeKind;
  readonly keys: readonly string[];
  /** The interfaces of an object, the members of a union, the possible types of an interface. */
  readonly related: readonly string[];
  readonly members: readonly MemberData[];
}

/** A field, an input field or an enum value. */
export interface MemberData extends ElementData {
  /** As written in a schema; absent for an enum value. */
  readonly type?: string | undefined;
  readonly args?: readonly ArgumentData[] | undefined;
  readonly deprecated?: string | undefined;
  /** The weight of one instance; absent where it is 0. */
  readonly cost?: number | undefined;
  /** Statements of federation, such as `@requires(weight) in orders`. */
  readonly notes?: readonly string[] | undefined;
  /** The places of the operations that use it. */
  readonly operations?: readonly number[] | undefined;
}

export interface ArgumentData {
  readonly name: string;
  readonly type: string;
  readonly fallback?: string | undefined;
  readonly description?: string | undefined;
  readonly deprecated?: string | undefined;
}

export interface OperationData {
  /** Identifies it in the page's addresses. */
  readonly key: string;
  /** Empty for an anonymous one. */
  readonly name: string;
  readonly kind: string;
  /** Absent where usage was recorded without it. */
  readonly text?: string | undefined;
  readonly identifiers: readonly string[];
  readonly clients: readonly ClientData[];
  readonly cost?: number | undefined;
  readonly maxCost?: number | undefined;
  readonly cache?: string | undefined;
  readonly requires: readonly string[];
  /** Absent where it cannot be planned. */
  readonly plan?: readonly PlannedFetch[] | undefined;
  /** Where a progressive override moves requests, the plan of the moved ones. */
  readonly movedPlan?: readonly PlannedFetch[] | undefined;
}

/** The use of an operation by one version of a client. */
export interface ClientData extends Partial<Omit<ClientUse, 'name' | 'daily' | 'cost'>> {
  /** Empty for one that does not say. */
  readonly name: string;
  /** Requests on the days of `usage.days`. */
  readonly daily?: readonly number[] | undefined;
}
