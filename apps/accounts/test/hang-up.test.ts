import { describe, expect, it } from '@jest/globals';

import { useAccounts } from './running-accounts.ts';

describe('A client that hangs up', () => {
  const accounts = useAccounts();

  it('cancels its query in the database: a query that waits for a lock stops, and nothing is written', async () => {
    const { id, etag } = await accounts.create({});
    // The swap waits for the row.
    const other = await accounts.beginWrite(id);
    const client = new AbortController();
    const response = fetch(`${accounts.url}/accounts/${id}`, {
      method: 'PUT',
      headers: {
        Authorization: accounts.authorizationOf(),
        'Content-Type': 'application/json',
        'If-Match': etag,
      },
      body: '{"balance_minor_units":2}',
      signal: client.signal,
    }).catch(() => 'hung up');
    await accounts.untilBlocked();

    client.abort();
    expect(await response).toBe('hung up');
    await accounts.untilBlocked(0);
    await other.commit();

    // The other writer's write, and no other.
    expect(await accounts.revisionOf(id)).toBe(2n);
    await accounts.client().get(`/accounts/${id}`).expect(200);
  });
});
