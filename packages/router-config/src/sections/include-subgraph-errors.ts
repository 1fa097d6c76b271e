import { boolean } from '../kinds/boolean.ts';
import { defaulting } from '../kinds/key.ts';
import { mapOf } from '../kinds/map-of.ts';
import { section } from '../kinds/section.ts';

/** Whose errors reach the client as the subgraph wrote them; all others are masked. */
export const includeSubgraphErrors = section({
  all: defaulting(boolean, false),
  /** Wins over `all`. */
  subgraphs: defaulting(mapOf(boolean), {}),
});
