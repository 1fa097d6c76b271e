import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { describe, expect, it } from '@jest/globals';
import type { RequestContext } from '@meridian/http';
import { startTrace } from '@meridian/telemetry';

import type { RequestFollower } from '../../src/telemetry/record-requests.ts';
import { createRequestRecording } from '../../src/telemetry/record-requests.ts';
import type { RequestRecord } from '../../src/telemetry/request-recorder.ts';

describe('A request follower that throws', () => {
  it('is reported, and does not keep the others from their record', () => {
    const failures: unknown[] = [];
    const taken: RequestRecord[] = [];
    const broken = new Error('no room');
    const followers: RequestFollower[] = [
      {
        follows: () => true,
        take: () => {
          throw broken;
        },
      },
      { follows: () => true, take: (record) => void taken.push(record) },
    ];
    const record = createRequestRecording(followers, {
      sendsTraceparent: false,
      onFailure: (error) => failures.push(error),
    });
    const response = Object.assign(new EventEmitter(), { writableFinished: true, statusCode: 200 });
    const context = { id: 'one', trace: startTrace(), route: '/graphql' };
    record(
      { method: 'POST', headers: {} } as IncomingMessage,
      response as unknown as ServerResponse,
      context as unknown as RequestContext,
    );
    response.emit('close');
    expect(failures).toEqual([broken]);
    expect(taken).toMatchObject([{ requestId: 'one', status: 200 }]);
  });
});
