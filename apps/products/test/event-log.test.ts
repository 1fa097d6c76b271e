import { eventLogSuite } from '@meridian/events/test-support';
import { createIdentifier } from '@meridian/subgraph';

import { createProductStore } from '../src/store/product-store.ts';

eventLogSuite('products', {
  migrations: new URL('../migrations/', import.meta.url),
  async change(tenantId, database) {
    const id = createIdentifier();
    const product = { id, name: 'lamp', priceMinorUnits: 100, weightGrams: 1, unitsSold: 0 };
    await createProductStore(database).insertMany(tenantId, [product]);
    return { sql: `select set_product_price('${tenantId}', '${id}', 99)`, subject: `/products/${id}` };
  },
});
