import type { Supergraph } from '@meridian/executor';

import type { Rejection } from '../plans/figures.ts';

/** The limits of a router.yaml on the operations of clients. The gateway provides them. */
export interface GatewayLimits {
  /** The value of each limit, by its key in router.yaml; undefined where there is none. */
  readonly values: ReadonlyMap<string, number | undefined>;
  /** The length of a list whose length nothing says, which the cost of operations depends on. */
  readonly assumedListSize: number;
  /** The line of a key in the file; 1 for one that is not there. */
  readonly lineOf: (key: string) => number;
  /** True when only the operations of manifests run. */
  readonly isSafelistOn: boolean;
  /** The reasons why the gateway rejects an operation; none for one that runs. */
  readonly rejectionsOver: (supergraph: Supergraph) => (text: string) => readonly Rejection[];
}

/** @param routerConfig the text of router.yaml; undefined where there is none */
export type ReadLimits = (routerConfig: string | undefined) => GatewayLimits;

export const routerFile = 'router.yaml';
