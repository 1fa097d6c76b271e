/** A response is not written as expected. It may still be correct. */
export class FastPathBailout extends Error {
  override readonly name = 'FastPathBailout';
}

/** It is thrown often for a subgraph with another form of JSON, and a stack trace would tell nothing. */
const bailout = new FastPathBailout('The response is not written as expected');

export function bailOut(): never {
  throw bailout;
}
