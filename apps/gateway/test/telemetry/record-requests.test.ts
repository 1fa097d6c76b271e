import { describe, expect, it } from '@jest/globals';
import type { EndListener, Exchange, RequestContext } from '@meridian/http';
import { startTrace } from '@meridian/telemetry';

import type { RequestFollower } from '../../src/telemetry/record-requests.ts';
import { createRequestRecording } from '../../src/telemetry/record-requests.ts';
import type { RequestRecord } from '../../src/telemetry/request-recorder.ts';

describe('A request follower that throws', () => {
  it('is reported, and does not keep the others from their record', () => {
    const failures: unknown[] = [];
    const records: RequestRecord[] = [];
    const broken = new Error('no room');
    const followers: RequestFollower[] = [
      {
        follows: () => true,
        take: () => {
          throw broken;
        },
      },
      { follows: () => true, take: (record) => void records.push(record) },
    ];
    const record = createRequestRecording(followers, {
      traceFields: undefined,
      onFailure: (error) => failures.push(error),
    });
    let end: EndListener | undefined;
    const exchange = { method: 'POST', headers: {}, onEnd: (listener: EndListener) => (end = listener) };
    const context = { id: 'one', trace: startTrace(), route: '/graphql' };
    record(exchange as unknown as Exchange, context as unknown as RequestContext, {
      outcome: 'partial',
      errorCodes: ['GATEWAY_TIMEOUT'],
    });
    end?.(200);
    expect(failures).toEqual([broken]);
    expect(records).toMatchObject([
      { requestId: 'one', status: 200, outcome: 'partial', errorCodes: ['GATEWAY_TIMEOUT'] },
    ]);
  });
});
