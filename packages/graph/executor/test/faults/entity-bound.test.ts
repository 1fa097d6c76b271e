// A list of very many objects, each to be looked up elsewhere: the work for its fetch ends at the bound, however long
// the list.
import { describe, expect, it } from '@jest/globals';
import type { DocumentNode } from 'graphql';
import { Kind, parse } from 'graphql';

import type { FastPathPlan } from '../../src/fast-path/compile-fast-path.ts';
import { FastPathData } from '../../src/fast-path/fast-path-data.ts';
import { FastPathBailout } from '../../src/fast-path/tape/fast-path-bailout.ts';
import { TapePool } from '../../src/fast-path/tape/tape-pool.ts';
import type { Tape } from '../../src/fast-path/tape/tape.ts';
import type { SubgraphTransport } from '../../src/index.ts';
import { createExecutor } from '../../src/index.ts';
import { fetchesOf } from '../../src/plan/plan-steps.ts';
import type { CompiledPlan } from '../../src/compile/compile-plan.ts';
import { compilePlan } from '../../src/compile/compile-plan.ts';
import { maxEntitiesOfFetch } from '../../src/selections/fetch-input.ts';
import type { CompiledFetch } from '../../src/slow-path/compile-fetch.ts';
import { compileFetch } from '../../src/slow-path/compile-fetch.ts';
import { createSlowPathData } from '../../src/slow-path/slow-path-data.ts';
import { runText, supergraphOf } from '../support/federation.ts';
import { depot } from './depot.ts';

const count = 6 * maxEntitiesOfFetch;
const isRefused = { code: 'SUBREQUEST_MALFORMED_RESPONSE' };

describe('A list of more entities than a fetch may have', () => {
  const supergraph = supergraphOf(depot);
  const products = (index: number): object => ({ __typename: 'Product', id: `p${index}` });
  const list = JSON.stringify({
    data: { products: Array.from({ length: count }, (_, index) => products(index)) },
  });

  /** The plan of an operation, with two fetches: the list, then its entities. */
  async function compile(text: string): Promise<CompiledList> {
    const document = parse(text);
    const plan = await createExecutor({ supergraph, transport: refusing }).prepare({ document }).plan({});
    const { slowPath, fastPath } = compilePlan(supergraph, plan, {
      document,
      definition: operationOf(document),
    });
    const [ofList, ofEntities] = fetchesOf(plan.root).map((step) =>
      compileFetch(supergraph, step, { mayRecur: false, mayMerge: false }),
    );
    if (fastPath === undefined || ofList === undefined || ofEntities === undefined) {
      throw new Error('The operation has no list of entities on the fast path');
    }
    return { slowPath, fastPath, ofList, ofEntities };
  }

  it('is written as representations up to the bound', async () => {
    const { slowPath, ofList, ofEntities } = await compile('{ products { id place } }');
    let written = 0;
    const counting: CompiledFetch = {
      ...ofEntities,
      writeRepresentation(object) {
        written += 1;
        return ofEntities.writeRepresentation?.(object);
      },
    };
    const data = createSlowPathData(slowPath, {});
    data.buildRequest(ofList);
    data.mergeResponse(ofList, list);

    expect(() => data.buildRequest(counting)).toThrow(expect.objectContaining(isRefused));
    expect(written).toBe(maxEntitiesOfFetch + 1);
  });

  it.each(['{ products { id place } }', '{ products { place id } }'])(
    'is read on the fast path up to the bound: %s',
    async (text) => {
      const { fastPath, ofList } = await compile(text);
      const tapes = new WatchedTapes();
      const data = new FastPathData(fastPath, tapes);
      data.buildRequest(ofList.step);

      expect(() => data.mergeResponse(ofList.step, list)).toThrow(FastPathBailout);
      expect(tapes.last?.position).toBeLessThan(list.length / 5);
    },
  );

  it('is an error of the fetch, also where its arguments come from a context', async () => {
    const sent: string[] = [];
    const contexts = supergraphOf({
      users: 'type Query { users: [User!]! }  type User @key(fields: "id") { id: ID!  currency: String }',
      shop: `
        type User @key(fields: "id") @context(name: "customer") { id: ID!  currency: String @external  products: [Product!]! }
        type Product @key(fields: "id") {
          id: ID!
          price(currency: String @fromContext(field: "$customer { currency }")): String
        }
      `,
    });
    const users = Array.from({ length: count }, (_, index) => ({
      __typename: 'User',
      id: `u${index}`,
      currency: `C${index}`,
    }));
    const transport: SubgraphTransport = {
      async send({ body }) {
        sent.push(body);
        return { text: JSON.stringify({ data: { users } }), cacheControl: undefined };
      },
    };
    const result = await runText(
      createExecutor({ supergraph: contexts, transport }),
      '{ users { products { price } } }',
    );

    expect(sent).toHaveLength(1);
    expect(result.errors[0]).toMatchObject({
      kind: 'subrequest',
      ...isRefused,
      path: ['users', 0, 'products'],
    });
  });
});

interface CompiledList extends Pick<CompiledPlan, 'slowPath'> {
  readonly fastPath: FastPathPlan;
  readonly ofList: CompiledFetch;
  readonly ofEntities: CompiledFetch;
}

/** A pool that shows its last tape. */
class WatchedTapes extends TapePool {
  last: Tape | undefined;

  override acquire(): Tape {
    this.last = super.acquire();
    return this.last;
  }
}

const refusing: SubgraphTransport = { send: () => Promise.reject(new Error('Nothing is sent')) };

function operationOf({ definitions }: DocumentNode) {
  const [definition] = definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) {
    throw new Error('The document has no operation');
  }
  return definition;
}
