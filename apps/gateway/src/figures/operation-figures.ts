import type { GraphConfigFile, ReadFigures } from '@meridian/schema-check';

import { createJudge, readLimits } from './judge-operation.ts';

/**
 * Reads figures under the limits of a router.yaml.
 *
 * @param routerConfig the file's text; undefined where there is none: its defaults hold
 * @param ofGraph a file that is merged over it, for one graph of several
 * @throws {CommandError} for a file with an invalid value
 */
export function createReadFigures(routerConfig: string | undefined, ofGraph?: GraphConfigFile): ReadFigures {
  const judge = createJudge(readLimits(routerConfig, { overlays: ofGraph && [ofGraph] }));
  return (supergraph) => {
    const judgeText = judge(supergraph);
    return (text) => judgeText(text).figures;
  };
}
