import { eventLogSuite } from '@meridian/events/test-support';
import { createIdentifier } from '@meridian/subgraph';

eventLogSuite('orders', {
  migrations: new URL('../migrations/', import.meta.url),
  async change(tenantId) {
    const id = createIdentifier();
    return {
      sql: `select add_orders('${tenantId}', '[{"id":"${id}","lineItems":[]}]')`,
      subject: `/orders/${id}`,
    };
  },
});
