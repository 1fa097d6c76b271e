import type { Supergraph } from '@meridian/executor';

import type { Rejection } from '../plans/figures.ts';
import type { FilePlace } from '../read/read-manifests.ts';

/** The limits of a router.yaml on the operations of clients. The gateway provides them. */
export interface GatewayLimits {
  /** The value of each limit, by its key in router.yaml; undefined where there is none. */
  readonly values: ReadonlyMap<string, number | undefined>;
  /** The length of a list whose length nothing says, which the cost of operations depends on. */
  readonly assumedListSize: number;
  /** The place of a key; the first line of router.yaml for one that is not there. */
  readonly placeOf: (key: string) => FilePlace;
  /** True when only the operations of manifests run. */
  readonly isSafelistOn: boolean;
  /** The files of the manifests, as the configuration names them; none where persisted queries are off. */
  readonly manifests: readonly string[];
  /** The reasons why the gateway rejects an operation; none for one that runs. */
  readonly rejectionsOver: (supergraph: Supergraph) => (text: string) => readonly Rejection[];
}

/** The file of a graph of `meridian.graphs`, which is merged over router.yaml. */
export interface GraphConfigFile {
  readonly name: string;
  readonly text: string;
}

/**
 * @param routerConfig the text of router.yaml; undefined where there is none
 * @param ofGraph absent for a graph without a file of its own
 */
export type ReadLimits = (routerConfig: string | undefined, ofGraph?: GraphConfigFile) => GatewayLimits;

export const routerFile = 'router.yaml';
