// A body that was merged is on the tape of its run, and nowhere else; equal fetches read it from there.
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';

import type { SubgraphTransport } from '../../src/index.ts';
import { createExecutor } from '../../src/index.ts';
import { supergraphOf } from '../support/federation.ts';

const supergraph = supergraphOf({
  friends: 'type Query { thing: Thing } type Thing @key(fields: "id") { id: ID! name: String friend: Thing }',
  peers: 'type Thing @key(fields: "id") { id: ID! peer: Thing }',
});

// The second fetch of the peer is equal to the first.
const document = parse('{ thing { peer { friend { peer { friend { name } } } } } }');
const thing = { __typename: 'Thing', id: '1' };
const responseText = JSON.stringify({ thing: { peer: { friend: { peer: { friend: { name: 'It' } } } } } });
const callCount = 4;

function bodyOf({ subgraph, body }: { readonly subgraph: string; readonly body: string }): Buffer {
  const isRoot = !body.includes('_entities');
  const entity = subgraph === 'peers' ? { peer: thing } : { friend: { ...thing, ...named(body) } };
  return Buffer.from(JSON.stringify({ data: isRoot ? { thing } : { _entities: [entity] } }));
}

function named(body: string): object {
  return body.includes('name') ? { name: 'It' } : {};
}

const request = { variables: {}, headersFor: () => ({}), signal: new AbortController().signal };

describe('The body of a response', () => {
  it.each([1, 2, 3, 4, 5, undefined])(
    'is read again by an equal fetch, with a bail-out at response %s',
    async (bailOutAt) => {
      let calls = 0;
      let responses = 0;
      const transport: SubgraphTransport = {
        send(sent) {
          calls += 1;
          return Promise.resolve({ text: bodyOf(sent), cacheControl: undefined });
        },
      };
      const watch = { mayUseFastPath: () => (responses += 1) !== bailOutAt };
      const executor = createExecutor({ supergraph, transport, watch });
      const { data, errors } = await executor.prepare({ document }).run(request);
      expect({ data, errors, calls }).toEqual({ data: responseText, errors: [], calls: callCount });
    },
  );

  it('is garbage once it is merged', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const bodies: WeakRef<Buffer>[] = [];
    let keptAtEnd: boolean[] = [];
    const transport: SubgraphTransport = {
      async send(sent) {
        await setImmediate();
        if (bodies.length === callCount - 1) {
          collect();
          keptAtEnd = bodies.map((body) => body.deref() !== undefined);
        }
        const text = bodyOf(sent);
        bodies.push(new WeakRef(text));
        return { text, cacheControl: undefined };
      },
    };
    const { data } = await createExecutor({ supergraph, transport }).prepare({ document }).run(request);
    expect(data).toBe(responseText);
    // V8 itself keeps the target of a weak reference for a while: the last one may still be there.
    expect(keptAtEnd.slice(0, -1)).toEqual([false, false]);
  });
});
