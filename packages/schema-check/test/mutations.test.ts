// Random edits of the repository's schemas: an operation of the manifest that no failing change names runs over the changed graph.
import { describe, expect, it } from '@jest/globals';
import { createExecutor } from '@meridian/executor';
import { parse, validate } from 'graphql';

import { randomEdit } from './support/random-edit.ts';
import { checkEdits, composed, listed, shippedGraph, subgraphNames } from './support/shipped-graph.ts';

/** A random number from 0, below 1, from a seed: the same ones at every run. */
function createRandom(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c_1b_3c_6d) + 0x9e_37_79_b9;
    state ^= state >>> 12;
    return (state >>> 0) / 4_294_967_296;
  };
}

const edits = 20;
const transport = { send: () => Promise.reject(new Error('A plan is not run')) };

describe('checkGraphs, over random edits,', () => {
  it('names every operation of the manifest that is no longer valid, or cannot be planned', async () => {
    let compositions = 0;
    let failing = 0;
    for (let seed = 0; seed < edits; seed += 1) {
      const random = createRandom(seed);
      const name = subgraphNames[Math.floor(random() * subgraphNames.length)] ?? '';
      let edited: string | undefined;
      const changed = { [name]: (sdl: string) => (edited ??= randomEdit(sdl, random)) };
      const graph = composed(changed);
      if (graph === undefined) {
        continue;
      }
      compositions += 1;
      const { changes, verdict } = await checkEdits(changed, {
        sides: { before: shippedGraph, after: graph },
      });
      const named = new Set(
        changes
          .filter((change) => change.verdict === 'fails' || change.verdict === 'undecided')
          .flatMap(({ operations }) => operations.map((operation) => operation.name)),
      );
      failing += verdict === 'passes' ? 0 : 1;
      const executor = createExecutor({ supergraph: graph.supergraph, transport });
      for (const operation of listed.filter((candidate) => !named.has(candidate.name))) {
        const document = parse(operation.text);
        expect({
          seed,
          name: operation.name,
          errors: validate(graph.supergraph.apiSchema, document),
        }).toEqual({ seed, name: operation.name, errors: [] });
        await executor.prepare({ document, name: undefined }).plan({});
      }
    }
    // Enough of both: edits that break operations, and edits that do not.
    expect(compositions).toBeGreaterThan(edits / 3);
    expect(failing).toBeGreaterThan(compositions / 5);
    expect(failing).toBeLessThan(compositions);
  });
});
