import { getEventListeners } from 'node:events';

import { describe, expect, it } from '@jest/globals';

import type { SubgraphRequest, SubgraphResponse } from '../../../src/index.ts';
import { composeInterceptors, deduplicateQueries } from '../../../src/index.ts';

describe('deduplicateQueries', () => {
  it('sends equal queries once while they are in flight', async () => {
    const { call, sent } = controlled();
    const both = [call(request()), call(request())];

    sent[0]?.response('{}');

    expect(await Promise.all(both)).toEqual([{ text: '{}' }, { text: '{}' }]);
    void call(request());
    expect(sent).toHaveLength(2);
  });

  it.each<[string, Partial<SubgraphRequest>]>([
    ['another body', { body: '{"query":"{ b }"}' }],
    ['another header field', { headers: { authorization: 'Bearer 2' } }],
    ['one header field less', { headers: {} }],
    ['one more', { headers: { authorization: 'Bearer 1', constructor: 'x' } }],
    ['a header field of another name', { headers: { cookie: 'Bearer 1' } }],
  ])('does not deduplicate a query with %s', (_difference, other) => {
    const { call, sent } = controlled();

    void call(request());
    void call(request(other));

    expect(sent).toHaveLength(2);
  });

  it('deduplicates queries of different traces', () => {
    const { call, sent } = controlled();

    void call(request({ headers: { authorization: 'Bearer 1', traceparent: '00-a-b-01' } }));
    void call(request({ headers: { traceparent: '00-c-d-01', authorization: 'Bearer 1' } }));

    expect(sent).toHaveLength(1);
  });

  it('rejects all waiting callers with a failure, and sends the next query again', async () => {
    const { call, sent } = controlled();
    const both = [call(request()), call(request())];

    sent[0]?.fail(new Error('broken'));

    expect(await Promise.allSettled(both)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    void call(request());
    expect(sent).toHaveLength(2);
  });

  it('does not deduplicate mutations', () => {
    const { call, sent } = controlled();

    void call(request({ operationKind: 'mutation' }));
    void call(request({ operationKind: 'mutation' }));

    expect(sent).toHaveLength(2);
  });

  it('aborts the request only once no caller waits for it', async () => {
    const { call, sent } = controlled();
    const [one, other] = [new AbortController(), new AbortController()];
    const left = call(request({ signal: one.signal }));
    const last = call(request({ signal: other.signal }));

    one.abort(new Error('one left'));
    await expect(left).rejects.toThrow('one left');
    expect(sent[0]?.request.signal.aborted).toBe(false);
    other.abort(new Error('all left'));
    await expect(last).rejects.toThrow('all left');
    expect(sent[0]?.request.signal.aborted).toBe(true);
    void call(request());
    expect(sent).toHaveLength(2);
  });

  it('leaves no listener on the signal of a caller whose query has ended', async () => {
    const { call, sent } = controlled();
    const { signal } = new AbortController();
    const calls: Promise<unknown>[] = [];
    for (let count = 0; count < 1000; count += 1) {
      const another = new AbortController();
      calls.push(call(request({ signal })), call(request({ signal: another.signal })));
      another.abort(new Error('left'));
    }
    expect(getEventListeners(signal, 'abort').length).toBe(1000);
    sent[0]?.response('{}');
    await Promise.allSettled(calls);
    expect(getEventListeners(signal, 'abort').length).toBe(0);
  });

  function request(changes: Partial<SubgraphRequest> = {}): SubgraphRequest {
    const { signal } = new AbortController();
    return {
      subgraph: 'a',
      operationKind: 'query',
      body: '{"query":"{ a }"}',
      headers: { authorization: 'Bearer 1' },
      signal,
      run: { variables: {}, signal },
      ...changes,
    };
  }

  /** A call whose responses come when the test says so. */
  function controlled() {
    const sent: {
      readonly request: SubgraphRequest;
      response(text: string): void;
      fail(error: Error): void;
    }[] = [];
    const call = composeInterceptors([deduplicateQueries()], async (request: SubgraphRequest) => {
      const { promise, resolve, reject } = Promise.withResolvers<SubgraphResponse>();
      sent.push({ request, response: (text) => resolve({ text, cacheControl: undefined }), fail: reject });
      return await promise;
    });
    return { call, sent };
  }
});
