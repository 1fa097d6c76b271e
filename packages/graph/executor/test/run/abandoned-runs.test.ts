// A run that ends early gives its memory to the next one, while some of its own steps still go on.
import { describe, expect, it } from '@jest/globals';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { Kind, parse } from 'graphql';

import { compilePlan } from '../../src/compile/compile-plan.ts';
import type { Tape } from '../../src/fast-path/tape/tape.ts';
import { TapePool } from '../../src/fast-path/tape/tape-pool.ts';
import type { SubgraphTransport } from '../../src/index.ts';
import { createExecutor } from '../../src/index.ts';
import { runPlan } from '../../src/run/run-plan.ts';
import { supergraphOf } from '../support/federation.ts';

const supergraph = supergraphOf({
  left: 'type Query { left: String }',
  right: 'type Query { right: String }',
});

/** Remembers the tapes that it lends, in order. */
class WatchedTapes extends TapePool {
  readonly acquired: Tape[] = [];

  override acquire(): Tape {
    const tape = super.acquire();
    this.acquired.push(tape);
    return tape;
  }
}

describe('A run that was aborted', () => {
  it('gives its tape to the next run, and no longer writes on it', async () => {
    const document = parse('{ left right }');
    const plan = await createExecutor({ supergraph, transport: refusing }).prepare({ document }).plan({});
    const compiled = compilePlan(supergraph, plan, { document, definition: operationOf(document) });
    const tapes = new WatchedTapes();
    const start = (tenant: string, signal: AbortSignal) => {
      const respond = new Map<string, () => void>();
      const transport: SubgraphTransport = {
        send: ({ subgraph }) =>
          new Promise((resolve, reject) => {
            const text = JSON.stringify({ data: { [subgraph]: `${subgraph} of ${tenant}` } });
            respond.set(subgraph, () => resolve({ text, cacheControl: undefined }));
            if (subgraph === 'left') {
              signal.addEventListener('abort', () => reject(signal.reason));
            }
          }),
      };
      const run = { variables: {}, headersFor: () => ({}), signal };
      const result = runPlan(compiled, run, { transport, tapes, watch: undefined });
      return { result, answer: (subgraph: string) => respond.get(subgraph)?.() };
    };
    const controller = new AbortController();
    const aborted = start('one', controller.signal);
    const reason = new Error('the client has gone');
    controller.abort(reason);
    await expect(aborted.result).rejects.toBe(reason);

    const next = start('two', new AbortController().signal);
    next.answer('left');
    // Too late: its tape belongs to the next run.
    aborted.answer('right');
    next.answer('right');

    expect((await next.result).data).toBe('{"left":"left of two","right":"right of two"}');
    expect(tapes.acquired).toHaveLength(2);
    expect(tapes.acquired[1] === tapes.acquired[0]).toBe(true);
  });
});

const refusing: SubgraphTransport = { send: () => Promise.reject(new Error('Nothing is sent')) };

function operationOf({ definitions: [definition] }: DocumentNode): OperationDefinitionNode {
  if (definition?.kind !== Kind.OPERATION_DEFINITION) {
    throw new Error('The document has no operation');
  }
  return definition;
}
