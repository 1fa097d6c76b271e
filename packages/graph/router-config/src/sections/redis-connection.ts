import { checked, listOf } from '../declaration/key-type.ts';
import { key } from '../declaration/key.ts';
import { url } from '../declaration/value-types.ts';
import { tlsClient } from './tls-client.ts';

/** The address of a Redis or Valkey: a list, as in Apollo Router, of exactly one. */
export const redisUrls = checked(listOf(url(['redis', 'rediss'])), ({ length }) =>
  length === 1 ? undefined : 'takes exactly one: clusters are not supported',
);

export const redisTls = key(tlsClient, {
  note: 'TLS with this Redis, also where its URL is redis://. A change takes effect after a restart',
});
