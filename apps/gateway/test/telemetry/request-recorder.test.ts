import { expect, it } from '@jest/globals';

import { RequestRecorder } from '../../src/telemetry/request-recorder.ts';

it('records the first 100 requests to coprocessors, and traces the later ones too', () => {
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
  const { coprocessorCalls } = recorder.finish('/graphql', 200, { outcome: undefined, errorCodes: [] });
  expect(coprocessorCalls.map(({ spanId }) => spanId)).toEqual(spans.slice(0, 100));
  expect(new Set(spans).size).toBe(150);
});
