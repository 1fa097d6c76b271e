// The plan of an operation as this executor runs it: Apollo's plan, read once, with everything decided that
// Apollo leaves to the interpreter. All executors here use it.
import type { DocumentNode } from 'graphql';

import type { SelectionSet } from '../operation/selection.ts';

/** The plan for one combination of an operation's conditions. */
export interface OperationPlan {
  readonly operationKind: OperationKind;
  /**
   * Absent where nothing has to be fetched. For a subscription, a sequence: its first step is the fetch whose response is
   * an event; the others run for each event.
   */
  readonly root: PlanStep | undefined;
  /** The selections that shape the response. */
  readonly selections: SelectionSet;
  /**
   * The fetches of the root, each after those that it waits for. Absent where no fragment is deferred: the first result
   * waits for all fetches.
   */
  readonly order?: readonly OrderedFetch[];
}

/** A fetch of a plan with deferred fragments. */
export interface OrderedFetch {
  readonly fetch: FetchStep;
  readonly after: readonly FetchStep[];
  /** The number of the deferred fragment that waits for it; undefined for a fetch that the first result waits for. */
  readonly fragment: number | undefined;
}

export type OperationKind = 'query' | 'mutation' | 'subscription';

export type PlanStep = SequenceStep | ParallelStep | FetchStep;

/** Steps one after another. Steps after a failed one run too, with the available data. */
export interface SequenceStep {
  readonly kind: 'sequence';
  readonly steps: readonly PlanStep[];
  /** Set on the steps of a deferred fragment, as the planner planned them. */
  readonly deferred?: DeferredSteps;
}

/** Steps that wait for some fetches before them only, and that only a deferred fragment waits for. */
export interface DeferredSteps {
  readonly fragment: number;
  /** The identifiers of these fetches. */
  readonly depends: readonly string[];
}

/** Steps at the same time. */
export interface ParallelStep {
  readonly kind: 'parallel';
  readonly steps: readonly PlanStep[];
}

/** One request to one subgraph. */
export interface FetchStep {
  readonly kind: 'fetch';
  /** Set where deferred steps wait for it; the same for all parts of a fetch that was split. */
  readonly id?: string;
  /** The number of the deferred fragment that it was planned for. */
  readonly fragment?: number;
  readonly subgraph: string;
  readonly operationKind: OperationKind;
  readonly operationName: string | undefined;
  readonly document: DocumentNode;
  /** The document, as sent. */
  readonly text: string;
  readonly variables: readonly FetchVariable[];
  /** Variables whose values differ between objects: the fetch is sent once for each combination of values. */
  readonly contextVariables: readonly ContextVariable[];
  /** The path of its objects in the data; the root if it is empty. */
  readonly path: readonly PathStep[];
  /** The fields of a representation of each of these objects. Absent for a fetch of root fields. */
  readonly requires: readonly RequiredSelection[] | undefined;
  /** In their order, for each representation. */
  readonly typenameRewrites: readonly TypenameRewrite[];
  /** In order, for the response's data or for each of its entities. */
  readonly renames: readonly Rename[];
}

/** A variable of a fetch, and the client's variable that it holds. */
export interface FetchVariable {
  readonly name: string;
  readonly clientName: string;
}

/**
 * A variable of a fetch whose value is in the data, on a path relative to the object: an argument with
 * `@fromContext`.
 */
export interface ContextVariable {
  readonly name: string;
  /** The number of fields of the fetch's path to go up first. */
  readonly levels: number;
  /** The paths from there. The first one whose type conditions hold applies. */
  readonly ways: readonly (readonly NameStep[])[];
}

/** The value of a field, or of each item of it where it is a list, however often nested. */
export interface PathStep {
  readonly name: string;
  /** Only values of these types, where that is not all. */
  readonly types: readonly string[] | undefined;
}

export type RequiredSelection = RequiredField | RequiredFragment;

export interface RequiredField {
  readonly kind: 'field';
  /** In the data. */
  readonly planName: string;
  /** In the representation. */
  readonly name: string;
  /** Absent for a leaf. */
  readonly selections: readonly RequiredSelection[] | undefined;
}

export interface RequiredFragment {
  readonly kind: 'fragment';
  readonly typeCondition: string | undefined;
  readonly selections: readonly RequiredSelection[];
}

/** Sends representations of a type, or of its subtypes, with the `__typename` of an interface object. */
export interface TypenameRewrite {
  readonly type: string;
  readonly typename: string;
}

/** A field whose name in a subgraph's response differs from its name in the data. */
export interface Rename {
  /** Field names and type conditions, down to the field's name in the response. */
  readonly path: readonly NameStep[];
  readonly from: string;
  readonly to: string;
}

/** A field's name, or a type condition. */
export type NameStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'type'; readonly name: string };
