import { eventLogSuite } from '@meridian/events/test-support';
import { createIdentifier } from '@meridian/subgraph';

eventLogSuite('reviews', {
  migrations: new URL('../migrations/', import.meta.url),
  async change(tenantId) {
    const [id, productId, authorId] = [createIdentifier(), createIdentifier(), createIdentifier()];
    const review = { id, productId, authorId, rating: 5, body: 'good' };
    return {
      sql: `select add_reviews('${tenantId}', '${JSON.stringify([review])}')`,
      subject: `/products/${productId}/reviews/${id}`,
    };
  },
});
