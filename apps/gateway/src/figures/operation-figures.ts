import type { Supergraph } from '@meridian/executor';

import type { OperationFigures } from './judge-operation.ts';
import { createJudge, readLimits } from './judge-operation.ts';

/** Computes the figures of operations over a supergraph; undefined for one that does not compile. */
export type ReadFigures = (supergraph: Supergraph) => (text: string) => OperationFigures | undefined;

/**
 * Reads figures under the limits of a router.yaml.
 *
 * @param routerConfig the file's text; undefined where there is none: its defaults hold
 * @throws {CommandError} for a file with an invalid value
 */
export function createReadFigures(routerConfig: string | undefined): ReadFigures {
  const judge = createJudge(readLimits(routerConfig));
  return (supergraph) => {
    const judgeText = judge(supergraph);
    return (text) => judgeText(text).figures;
  };
}
