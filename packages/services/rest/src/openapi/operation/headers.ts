// The header fields that responses of several services have.
import type { JsonObject } from '@meridian/json';

import type { HeaderDescription } from './operation.ts';

export const requestIdHeader: HeaderDescription = {
  name: 'Request-Id',
  isRequired: true,
  description: 'Identifies this response in the logs of the service; quote it when you report a problem.',
  schema: { type: 'string', format: 'uuid' },
};

export const etagHeader: HeaderDescription = {
  name: 'ETag',
  isRequired: true,
  description:
    'A strong validator of this representation (RFC 9110, section 8.8.3), to be compared as one exact string.',
  schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]+"$' },
};

export const varyHeader: HeaderDescription = {
  name: 'Vary',
  isRequired: true,
  description: 'The request headers that chose the representation.',
  schema: { type: 'string', const: 'Accept' },
};

export const retryAfterHeader: HeaderDescription = {
  name: 'Retry-After',
  isRequired: true,
  description: 'Seconds to wait before the request is sent again.',
  schema: { type: 'integer', minimum: 1 },
};

export const acceptEncodingHeader: HeaderDescription = {
  name: 'Accept-Encoding',
  isRequired: false,
  description: 'The content coding of the body was the fault (RFC 9110, section 12.5.3).',
  schema: { type: 'string', const: 'identity' },
};

export const challengeHeader: HeaderDescription = {
  name: 'WWW-Authenticate',
  isRequired: true,
  description: 'What is wrong with the credentials (RFC 6750, section 3).',
  schema: { type: 'string', pattern: '^Bearer realm="' },
};

/** Both header fields of draft-ietf-httpapi-ratelimit-headers. */
export const rateLimitHeaders: readonly HeaderDescription[] = [
  {
    name: 'RateLimit',
    isRequired: true,
    description: 'The rest of the quota, and the seconds until it is renewed.',
    schema: { type: 'string' },
  },
  {
    name: 'RateLimit-Policy',
    isRequired: true,
    description: 'The quota, and its interval in seconds.',
    schema: { type: 'string' },
  },
];

export const preferenceAppliedHeader: HeaderDescription = {
  name: 'Preference-Applied',
  isRequired: false,
  description: 'The body is there because `Prefer` wanted it (RFC 7240).',
  schema: { type: 'string', const: 'return=representation' },
};

export const idempotentReplayedHeader: HeaderDescription = {
  name: 'Idempotent-Replayed',
  isRequired: false,
  description: 'The response repeats the first one with this Idempotency-Key; this request had no effect.',
  schema: { type: 'string', const: 'true' },
};

/** `Cache-Control` with a fixed value. */
export function cacheControlHeader(value: string): HeaderDescription {
  return {
    name: 'Cache-Control',
    isRequired: true,
    description: 'Who may store the response, and for how long.',
    schema: { type: 'string', const: value },
  };
}

/** The path of the created resource, within the service. */
export function locationHeader(description: string): HeaderDescription {
  return {
    name: 'Location',
    isRequired: true,
    description,
    schema: { type: 'string', format: 'uri-reference' },
  };
}

/** Header fields by name, as OpenAPI writes them. */
export function headersObject(headers: readonly HeaderDescription[]): JsonObject {
  return Object.fromEntries(
    headers.map(({ name, isRequired, description, schema }) => [
      name,
      { description, required: isRequired, schema },
    ]),
  );
}
