import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

import { describe, expect, it } from '@jest/globals';
import { contentTypeOf } from '@meridian/http';

const accepted = ['application/json', 'application/vnd.meridian.account.v2+json'] as const;

describe('contentTypeOf', () => {
  it.each([
    ['application/json', 'application/json'],
    ['Application/JSON', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    ['application/vnd.meridian.account.v2+json', 'application/vnd.meridian.account.v2+json'],
    ['', undefined],
    [undefined, undefined],
  ])('reads %s as %s', (declared, expected) => {
    expect(contentTypeOf(messageWith({ 'content-type': declared }), accepted)).toBe(expected);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'json',
    'application/json, text/html',
    ';',
    '; charset=utf-8',
  ])('refuses %s with unsupported-media-type', (declared) => {
    expect(() => contentTypeOf(messageWith({ 'content-type': declared }), accepted)).toThrow(
      'unsupported-media-type',
    );
  });

  it.each(['gzip', 'br', 'identity, gzip', 'x'])('refuses a body with content coding %s', (coding) => {
    const message = messageWith({ 'content-type': 'application/json', 'content-encoding': coding });
    expect(() => contentTypeOf(message, accepted)).toThrow('unsupported-media-type');
  });

  it('says in Accept-Encoding that a content coding was the fault', () => {
    const headers = { 'Accept-Patch': 'application/merge-patch+json' };
    const message = messageWith({ 'content-type': 'application/json', 'content-encoding': 'gzip' });
    expect(() => contentTypeOf(message, accepted, headers)).toThrow(
      expect.objectContaining({ headers: { ...headers, 'Accept-Encoding': 'identity' } }),
    );
  });

  it('refuses a body with a transfer coding besides chunked, which Node would pass on as it came', () => {
    const message = messageWith({ 'transfer-encoding': 'gzip, chunked' });
    expect(() => contentTypeOf(message, accepted)).toThrow('unsupported-media-type');
  });

  it('accepts a body in chunks', () => {
    const message = messageWith({ 'content-type': 'application/json', 'transfer-encoding': 'Chunked' });
    expect(contentTypeOf(message, accepted)).toBe('application/json');
  });

  it('accepts the content coding identity', () => {
    const message = messageWith({ 'content-type': 'application/json', 'content-encoding': 'Identity' });
    expect(contentTypeOf(message, accepted)).toBe('application/json');
  });

  it('adds header fields to the problem', () => {
    const acceptPatch = { 'Accept-Patch': 'application/merge-patch+json' };
    expect(() => contentTypeOf(messageWith({ 'content-type': 'text/plain' }), accepted, acceptPatch)).toThrow(
      expect.objectContaining({ headers: acceptPatch }),
    );
  });
});

function messageWith(headers: Record<string, string | undefined>): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) {
      message.headers[name] = value;
    }
  }
  return message;
}
