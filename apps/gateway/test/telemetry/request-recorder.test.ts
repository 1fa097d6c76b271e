import { expect, it } from '@jest/globals';

import { RequestRecorder } from '../../src/telemetry/request-recorder.ts';

it('records the first 100 requests of a stream to coprocessors and subgraphs, and traces the later ones too', () => {
  const trace = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', isSampled: true };
  const recorder = new RequestRecorder(
    { requestId: 'a', trace, method: 'POST', headers: {} },
    { traceFields: ({ spanId }) => ({ span: spanId }) },
  );
  const spans = Array.from({ length: 150 }, () => {
    const call = recorder.onCoprocessorCall('router_response', 'http://a/');
    call.end(true);
    return call.headers?.['span'];
  });
  recorder.onSubscribed();
  const fetch = { subgraph: 'a', step: undefined, operationKind: 'query', operationName: undefined } as const;
  const fetchSpans = Array.from(
    { length: 150 },
    () => recorder.onFetch({ ...fetch, entityCount: 1 }).headers['span'],
  );
  const { coprocessorCalls, fetches } = recorder.finish('/graphql', 200, {
    outcome: undefined,
    errorCodes: [],
  });
  expect(coprocessorCalls.map(({ spanId }) => spanId)).toEqual(spans.slice(0, 100));
  expect(fetches.map(({ spanId }) => spanId)).toEqual(fetchSpans.slice(0, 100));
  expect(new Set([...spans, ...fetchSpans]).size).toBe(300);
});
