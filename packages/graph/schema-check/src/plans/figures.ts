import type { Supergraph } from '@meridian/executor';

/** Figures of an operation, as the gateway computes them before it runs one. */
export interface OperationFigures {
  readonly cost: number;
  /** Absent where there is no limit. */
  readonly maxCost: number | undefined;
  /** Absent where all page sizes are allowed. */
  readonly pageSizeFault: string | undefined;
  /** Absent where it cannot be cached. */
  readonly cache: { readonly maxAgeSeconds: number; readonly isPrivate: boolean } | undefined;
  /** A caller must meet all of them. */
  readonly requirements: readonly Requirement[];
}

/** A requirement of authorization: all members of one set are enough; an empty set takes any authenticated caller. */
export interface Requirement {
  readonly of: 'scopes' | 'policies';
  readonly sets: readonly (readonly string[])[];
  /** In words, as clients receive it. */
  readonly text: string;
}

/** Computes figures over a supergraph; undefined for an operation that the gateway rejects. The gateway provides it. */
export type ReadFigures = (supergraph: Supergraph) => (text: string) => OperationFigures | undefined;

/** A reason why the gateway rejects every request for an operation. */
export interface Rejection {
  /** The `extensions.code` that clients receive. */
  readonly code: string;
  readonly message: string;
}

/** The gateway's judgement of an operation before any request for it, under the limits of a router.yaml. */
export interface OperationJudgement {
  /** The reasons why it rejects every request, as clients receive them; empty for an operation that runs. */
  readonly rejections: readonly Rejection[];
  /** Empty for an operation that does not compile. */
  readonly sizes: readonly LimitedSize[];
  /** Absent for an operation that does not compile, and over an API schema. */
  readonly figures: JudgedFigures | undefined;
}

export interface LimitedSize {
  /** As in `depth`. */
  readonly name: string;
  readonly count: number;
  /** Absent where there is no limit. */
  readonly limit: number | undefined;
}

export interface JudgedFigures extends OperationFigures {
  readonly pageSizes: readonly {
    readonly argument: string;
    /** Absent where the subgraph chooses it. */
    readonly size: number | undefined;
    readonly max: number;
  }[];
}

/** Judges operations over a supergraph, or over an API schema alone. The gateway provides it. */
export type JudgeOperations = (
  graph: Pick<Supergraph, 'apiSchema'> | Supergraph,
) => (text: string) => OperationJudgement;
