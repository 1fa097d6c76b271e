import { flag, key, section } from '../declaration/key.ts';
import { oneOf, positiveInteger } from '../declaration/value-types.ts';

/** Several operations of a client in one request. */
export const batching = section({
  enabled: flag('Takes an array of operations, and answers with an array'),
  mode: key(oneOf('batch_http_link'), {
    default: 'batch_http_link',
    note: 'The format: the one of Apollo Client’s BatchHttpLink',
  }),
  maximum_size: key(positiveInteger, {
    default: 100,
    note: 'The most operations in an array',
  }),
});
