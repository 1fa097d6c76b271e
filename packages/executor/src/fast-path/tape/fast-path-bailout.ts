/** An answer is not written as expected. It may be right all the same. */
export class FastPathBailout extends Error {}

/** It is thrown often where a subgraph writes in its own way: its stack would say nothing. */
const bailout = new FastPathBailout('The answer is not written as expected');

export function bailOut(): never {
  throw bailout;
}
