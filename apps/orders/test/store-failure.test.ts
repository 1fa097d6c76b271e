import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OutcomeUnknown, StoreTimeout } from '@meridian/database';

import { startResources } from './start-resources.ts';
import type { StartedResources } from './start-resources.ts';

describe('When the store of orders fails,', () => {
  let resources: StartedResources;
  let readFailure: Error | undefined;
  let writeFailure: Error | undefined;
  beforeAll(async () => {
    resources = await startResources(({ database }) => ({
      database: {
        ...database,
        asTenant: (...call) =>
          readFailure === undefined ? database.asTenant(...call) : Promise.reject(readFailure),
        transactionAsTenant: (...call) =>
          writeFailure === undefined ? database.transactionAsTenant(...call) : Promise.reject(writeFailure),
      },
    }));
  });
  afterAll(() => resources.stop());

  it('GET answers 504 upstream-timeout with Retry-After after the deadline', async () => {
    const id = await resources.orderIn('placed');
    readFailure = new StoreTimeout('too slow');
    for (const path of [`/orders/${id}`, `/orders/${id}/cancellations/${id}`]) {
      const response = await resources.alice.get(path).expect(504);
      expect(response.headers['retry-after']).toBe('1');
      expect(response.text).toContain('/problems/upstream-timeout');
      expect(response.text).toContain('The store did not respond in time.');
    }
    readFailure = undefined;
  });

  it.each([
    [new StoreTimeout('too slow'), 504, 'The store did not respond in time; nothing was written.'],
    [new OutcomeUnknown('lost'), 500, 'Outcome unknown; read the order again.'],
    [new Error('syntax error in select'), 500, 'The service failed unexpectedly.'],
  ])('a write with %s is answered with %i and the detail: %s', async (failure, status, detail) => {
    const id = await resources.orderIn('paid');
    const etag = await resources.etagOf(id);
    writeFailure = failure;
    const responses = [
      await resources.alice.post(`/orders/${id}/cancellations`).send('{"reason":"too slow"}').expect(status),
      await resources.patch(id, etag, 'shipped').expect(status),
    ];
    writeFailure = undefined;

    for (const { text } of responses) {
      expect(JSON.parse(text)).toMatchObject({ status, detail });
    }
    expect(await resources.stateOf(id)).toEqual({ status: 'paid', revision: 1n });
  });
});
