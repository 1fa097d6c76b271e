/** An answer is not written as expected. It may be right all the same. */
export class Mismatch extends Error {}

/** It is thrown often where a subgraph writes in its own way: its stack would say nothing. */
const mismatch = new Mismatch('The answer is not written as expected');

export function giveUp(): never {
  throw mismatch;
}
