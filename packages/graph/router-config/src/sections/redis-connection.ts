import { checked, listOf } from '../declaration/key-type.ts';
import { flag, key } from '../declaration/key.ts';
import { text, url } from '../declaration/value-types.ts';
import { tlsClient } from './tls.ts';

/** The address of a Redis or Valkey: a list, as in Apollo Router, of exactly one. */
const redisUrls = checked(listOf(url(['redis', 'rediss'])), ({ length }) =>
  length === 1 ? undefined : 'takes exactly one: clusters are not supported',
);

/** The connection to a Redis, in the first keys of its section. */
export const redisConnection = (note: string) => ({
  urls: key(redisUrls, { required: true, note }),
  username: key(text, { note: 'The user; takes precedence over the one in the URL' }),
  password: key(text, { note: 'The password; takes precedence over the one in the URL' }),
  tls: key(tlsClient, {
    note: 'TLS with this Redis, also where its URL is redis://. A change takes effect after a restart',
  }),
});

/** The last keys of its section. */
export const redisUse = (namespace: string) => ({
  namespace: key(text, { default: namespace, note: 'The prefix of their keys in Redis' }),
  required_to_start: flag('The gateway does not start without this Redis. Later it always continues without'),
});
