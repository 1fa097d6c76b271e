import { describe, expect, it } from '@jest/globals';

import {
  acceptedDeferFormat,
  acceptedSubscriptionFormat,
  responseMediaType,
} from '../../../src/pipeline/1-receive/media-types.ts';

const old = 'multipart/mixed;deferSpec=20220824';
const current = 'multipart/mixed;incrementalSpec=v0.2';

describe('acceptedDeferFormat', () => {
  it.each([
    // Apollo Client 4's two handlers.
    [`${old},application/graphql-response+json,application/json;q=0.9`, 'defer-20220824'],
    [`${current},application/graphql-response+json,application/json;q=0.9`, 'defer-v0.2'],
    // Apollo Client 3, Apollo Kotlin, urql.
    ['multipart/mixed; deferSpec=20220824, application/json', 'defer-20220824'],
    [
      'multipart/mixed;deferSpec=20220824, application/graphql-response+json, application/json',
      'defer-20220824',
    ],
    [
      'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
      'defer-20220824',
    ],
    ['multipart/mixed;boundary="graphql";deferSpec="20220824"', 'defer-20220824'],
    ['Multipart/Mixed; DEFERSPEC=20220824', 'defer-20220824'],
    ['multipart/mixed;note="a, b; c=\\"d";incrementalSpec=v0.2', 'defer-v0.2'],
    [`${old},${current}`, 'defer-20220824'],
    [`${current},${old}`, 'defer-v0.2'],
    [`${old};q=0.5,${current}`, 'defer-v0.2'],
    [`${old};q=0.5,${current};q=0.4`, 'defer-20220824'],
    [`${old};q=0,${current}`, 'defer-v0.2'],
  ])('of %j is %s', (accept, format) => {
    expect(acceptedDeferFormat(accept)).toBe(format);
  });

  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'multipart/*',
    'multipart/mixed;deferSpec=20230101',
    'multipart/mixed;incrementalSpec=v0.3',
    'multipart/mixed;subscriptionSpec=1.0',
    `${old};q=0`,
    `${old};q=much`,
    `application/json;note="${old}"`,
    `${old},${'a'.repeat(2000)}`,
  ])('of %j is undefined', (accept) => {
    expect(acceptedDeferFormat(accept)).toBeUndefined();
  });
});

describe('acceptedSubscriptionFormat', () => {
  it.each([
    // Apollo Client, Router's documentation, urql, graphql-sse.
    ['multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json', 'multipart'],
    ['multipart/mixed;subscriptionSpec="1.0", application/json', 'multipart'],
    ['text/event-stream, multipart/mixed', 'sse'],
    ['text/event-stream', 'sse'],
    ['text/event-stream;q=0.1, multipart/mixed;subscriptionSpec=1.0', 'multipart'],
  ])('of %j is %s', (accept, format) => {
    expect(acceptedSubscriptionFormat(accept)).toBe(format);
  });

  it.each([
    undefined,
    '*/*',
    'application/json',
    'multipart/mixed',
    'multipart/mixed;subscriptionSpec=2.0',
    old,
  ])('of %j is undefined', (accept) => {
    expect(acceptedSubscriptionFormat(accept)).toBeUndefined();
  });
});

describe('responseMediaType', () => {
  it.each([old, current, 'multipart/mixed;subscriptionSpec=1.0'])(
    'is JSON for a client that only takes %s',
    (accept) => {
      expect(responseMediaType(accept)).toBe('application/json');
    },
  );

  it('is an event for a client that only takes text/event-stream', () => {
    expect(responseMediaType('text/event-stream')).toBe('text/event-stream; charset=utf-8');
    expect(responseMediaType('text/event-stream, application/json')).toBe('application/json');
  });
});
