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
  /** A text for each requirement of authorization. */
  readonly requirements: readonly string[];
}

/** Computes figures over a supergraph; undefined for an operation that the gateway refuses. The gateway provides it. */
export type ReadFigures = (supergraph: Supergraph) => (text: string) => OperationFigures | undefined;
