// The request headers that make a request conditional on a validator, and what a write prefers in its response.
import type { ParameterDescription } from './operation.ts';

export const ifNoneMatchHeader: ParameterDescription = {
  name: 'If-None-Match',
  in: 'header',
  isRequired: false,
  description:
    'One `ETag` of a prior read: the response is 304 while it is still current. Compared as one exact string, so that a list, `*` or `W/…` never matches.',
  schema: { type: 'string' },
};

export const ifMatchHeader: ParameterDescription = {
  name: 'If-Match',
  in: 'header',
  isRequired: true,
  description:
    'The `ETag` of a prior read: the write is rejected with 412 when it is no longer current. Compared as one exact string, so that a list, `*` or `W/…` never matches.',
  schema: { type: 'string', minLength: 1 },
};

export const preferHeader: ParameterDescription = {
  name: 'Prefer',
  in: 'header',
  isRequired: false,
  description:
    '`return=representation` (RFC 7240): the response has the resource as it is after the write, and `Preference-Applied`. Any other preference is ignored.',
  schema: { type: 'string' },
};
