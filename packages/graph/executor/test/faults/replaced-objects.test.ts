// Two subgraphs resolve one field, and do not agree on what is there. A response then replaces objects for which
// another subgraph was already asked.
import { setImmediate } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import type { ExecutionResult, SubgraphTransport } from '../../src/index.ts';
import { SubgraphFailure } from '../../src/index.ts';
import { runText, supergraphOf } from '../support/federation.ts';
import { executors } from '../support/reference/reference-executor.ts';

const supergraph = supergraphOf({
  catalog: `
    type Query { title: String  shelf: Shelf }
    type Shelf @key(fields: "id") { id: ID!  boxes: [Box] @shareable }
    type Box @key(fields: "id", resolvable: false) { id: ID! }
  `,
  // Of boxes it knows only their weights.
  scales: `
    type Shelf @key(fields: "id") { id: ID!  boxes: [Box] @shareable }
    type Box { weight: Int }
  `,
  labels: 'type Box @key(fields: "id") { id: ID!  title: String }',
});

const shelf = { __typename: 'Shelf', id: 's', boxes: ['a', 'b'].map((id) => ({ __typename: 'Box', id })) };
const box = { weight: 1 };

describe.each(executors)('%s', (_name, create) => {
  /**
   * Runs an operation with these boxes of the scales. The second of scales and labels responds once the first is
   * merged.
   */
  async function run(
    boxes: unknown,
    labelled: string | SubgraphFailure,
    first: 'labels' | 'scales',
  ): Promise<ExecutionResult> {
    const firstIsSent = Promise.withResolvers<void>();
    const transport: SubgraphTransport = {
      async send({ subgraph }) {
        if (subgraph === first) {
          firstIsSent.resolve();
        } else if (subgraph !== 'catalog') {
          await firstIsSent.promise;
          // A response is merged in microtasks.
          await setImmediate();
        }
        const response = {
          catalog: JSON.stringify({ data: { title: null, shelf } }),
          scales: JSON.stringify({ data: { _entities: [{ boxes }] } }),
          labels: labelled,
        }[subgraph];
        if (typeof response !== 'string') {
          throw response;
        }
        return { text: response, cacheControl: undefined };
      },
    };
    return await runText(create({ supergraph, transport }), '{ title shelf { boxes { weight title } } }');
  }

  const nowhere = JSON.stringify({ data: null, errors: [{ message: 'no' }] });
  const placed = JSON.stringify({
    data: null,
    errors: [0, 1].map((index) => ({ message: 'no', path: ['_entities', index, 'title'] })),
  });
  const failure = new SubgraphFailure('GATEWAY_TIMEOUT', 'too slow');

  describe.each([
    ['a shorter list', [box]],
    ['a longer list', [box, box, null]],
    ['an empty list', []],
    ['an object', box],
    ['a scalar', 'none'],
    ['lists in the list', [[box], [box]]],
    ['scalars in the list', [7, 7]],
  ])('when objects that a fetch is for are replaced by %s', (_case, boxes) => {
    it.each([
      ['an error without a path', nowhere],
      ['errors with paths', placed],
      ['a failure', failure],
    ])('places %s where these were, whichever response comes first', async (_kind, labelled) => {
      const before = await run(boxes, labelled, 'labels');
      const after = await run(boxes, labelled, 'scales');

      expect(after.errors.map(({ path }) => path)).toEqual([
        ['shelf', 'boxes', 0, 'title'],
        ['shelf', 'boxes', 1, 'title'],
      ]);
      expect(after).toEqual(before);
    });
  });
});
