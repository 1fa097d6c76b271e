import { createIdentifier } from '@meridian/subgraph';
import type { Who } from '@meridian/subgraph/test-support';
import { eventually } from '@meridian/testing';
import { documentedResponses } from '@meridian/testing/openapi';
import supertest from 'supertest';

import type { OrderStatus } from '../src/orders/transition.ts';
import { startOrders } from './start-orders.ts';

/**
 * The orders service of one suite, to be asked for its resources.
 *
 * @param change as in `startOrders`
 */
export async function startResources(change?: Parameters<typeof startOrders>[0]) {
  const orders = await startOrders(change);
  const { database, stores } = orders;
  const documented = await documentedResponses(orders.url);

  /** Requests without a token. A response that the OpenAPI document does not have fails the test. */
  function anonymous() {
    return supertest.agent(orders.url).use(documented);
  }

  /**
   * Requests by a caller, by default alice of `acme` with all scopes. A body is JSON unless the test says otherwise.
   */
  async function client(who?: Who) {
    const authorization = `Bearer ${await orders.token(who)}`;
    return anonymous().set({ Authorization: authorization, 'Content-Type': 'application/json' });
  }

  /** Requests by alice of `acme`, who is asked for most. */
  const alice = await client();

  return {
    ...orders,
    anonymous,
    client,
    alice,

    /** A new order in a status. */
    async orderIn(status: OrderStatus, tenantId = 'acme'): Promise<string> {
      const id = createIdentifier();
      const lineItems = [{ productId: createIdentifier(), quantity: 1, unitPriceMinorUnits: 1250 }];
      await stores.orders.insertMany(tenantId, [{ id, status, customerId: null, lineItems }]);
      return id;
    },

    /** The order's ETag as a read shows it. */
    async etagOf(id: string): Promise<string> {
      const { headers } = await alice.get(`/orders/${id}`).expect(200);
      return headers['etag'] ?? '';
    },

    /** Asks for another status, with an ETag of the order. */
    patch(id: string, etag: string, status: string) {
      return alice
        .patch(`/orders/${id}`)
        .set('Content-Type', 'application/merge-patch+json')
        .set('If-Match', etag)
        .send(`{"status":"${status}"}`);
    },

    async stateOf(id: string): Promise<{ status: OrderStatus; revision: bigint } | undefined> {
      const query = database.knex('orders').select('status', 'revision').where({ tenant_id: 'acme', id });
      const [row] = await database.asTenant<{ status: OrderStatus; revision: bigint }>('acme', query);
      return row;
    },

    /** Another writer, who holds the order's row until it commits, having changed the order or not. */
    async beginWrite(id: string, { changes }: { readonly changes: boolean }) {
      const held = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const write = database.transactionAsTenant('acme', async (transaction) => {
        await transaction.query(
          'update orders set revision = revision + $2 where tenant_id = $3 and id = $1',
          [id, changes ? 1 : 0, 'acme'],
        );
        held.resolve();
        await released.promise;
      });
      await held.promise;
      return {
        async commit() {
          released.resolve();
          await write;
        },
      };
    },

    /** Settles when so many statements of the service wait for a lock. */
    async untilBlocked(count = 1): Promise<void> {
      await eventually(async () => {
        const waits = await orders.countLockWaits();
        if (waits < count) {
          throw new Error(`${waits} statements wait for a lock`);
        }
      });
    },
  };
}
