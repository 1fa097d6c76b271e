import { describe, expect, it } from '@jest/globals';
import { useStarted } from '@meridian/subgraph/test-support';
import { eventually } from '@meridian/testing';

import { startResources } from '../start-resources.ts';

describe('A change of an order by REST', () => {
  const orders = useStarted(() => startResources());

  it('is announced to the processes that wait, by PATCH and by a cancellation', async () => {
    const id = await orders.orderIn('placed', 'globex');
    const client = await orders.client({ tenant: 'globex' });
    const told: string[] = [];
    const listening = Promise.withResolvers<void>();
    const listener = orders.database.listen('meridian_events_orders', {
      onText: (text) => told.push(...(text.includes('"globex"') ? [text] : [])),
      onStart: listening.resolve,
    });
    try {
      await listening.promise;
      const { headers } = await client.get(`/orders/${id}`).expect(200);
      await client
        .patch(`/orders/${id}`)
        .set('Content-Type', 'application/merge-patch+json')
        .set('If-Match', headers['etag'] ?? '')
        .send('{"status":"paid"}')
        .expect(200);
      await eventually(() => expect(told).toHaveLength(1));
      await client.post(`/orders/${id}/cancellations`).send('{"reason":"ordered twice"}').expect(201);
      await eventually(() => expect(told).toHaveLength(2));
    } finally {
      listener.close();
    }
  });
});
