import type { JsonObject } from '@meridian/json';
import { problemKinds, problemMediaType, problemType } from '@meridian/problem-details';
import type { ProblemKind } from '@meridian/problem-details';

import { deprecationHeaders } from '../operation/deprecation.ts';
import {
  acceptEncodingHeader,
  cacheControlHeader,
  challengeHeader,
  idempotentReplayedHeader,
  rateLimitHeaders,
  requestIdHeader,
  retryAfterHeader,
  varyHeader,
  headersObject,
} from '../operation/headers.ts';
import type { HeaderDescription, Operation } from '../operation/operation.ts';

/** The schema of every problem's body. The schema of each response narrows it. */
export const problemSchema: JsonObject = {
  type: 'object',
  description: 'What went wrong (RFC 9457).',
  required: ['type', 'status', 'detail'],
  additionalProperties: false,
  properties: {
    type: {
      type: 'string',
      format: 'uri',
      description:
        'The kind of problem, by which programs tell problems apart. It is the address of a page about the kind.',
    },
    status: { type: 'integer', description: 'The status of the response.' },
    detail: { type: 'string', description: 'What went wrong, for people. It may change at any time.' },
  },
};

export interface ProblemResponseOptions {
  readonly status: number;
  /** The kinds of this status that the operation returns; at least one. */
  readonly kinds: readonly ProblemKind[];
  readonly operation: Operation;
  readonly problemBaseUrl: string;
}

/** The response for a status that is a problem, and the name under which operations share it. */
export function problemResponse({ status, kinds, operation, problemBaseUrl }: ProblemResponseOptions): {
  readonly name: string;
  readonly response: JsonObject;
} {
  const own = headersOf(operation, status);
  const types = kinds.map((kind) => problemType(kind, problemBaseUrl));
  return {
    name: [...kinds, ...own.map(({ name }) => name.toLowerCase())].join('.'),
    response: {
      description: kinds
        .map((kind) => `**${problemKinds[kind].title}.** ${problemKinds[kind].cause}`)
        .join('\n\n'),
      headers: headersObject([
        requestIdHeader,
        cacheControlHeader('no-store'),
        ...kindHeaders(status),
        ...own,
      ]),
      content: {
        [problemMediaType]: {
          schema: {
            allOf: [{ $ref: '#/components/schemas/Problem' }],
            properties: { type: { enum: types }, status: { const: status } },
          },
          examples: Object.fromEntries(
            kinds.map((kind, index) => [
              kind,
              {
                summary: problemKinds[kind].title,
                value: { type: types[index], status, detail: problemKinds[kind].cause },
              },
            ]),
          ),
        },
      },
    },
  };
}

/** Of a problem that came after the throttle. */
const restOfQuota = rateLimitHeaders.map((header) => ({ ...header, isRequired: false }));

/** The header fields that go with the kinds of a status. */
function kindHeaders(status: number): readonly HeaderDescription[] {
  switch (status) {
    case 401:
    case 403:
      return [challengeHeader];
    case 415:
      return [acceptEncodingHeader, ...restOfQuota];
    case 429:
      return [retryAfterHeader, ...rateLimitHeaders];
    case 503:
    case 504:
      return [retryAfterHeader, ...restOfQuota];
    default:
      return restOfQuota;
  }
}

/** The kinds that are returned before negotiation: framing, identity, scope, throttle. */
const beforeNegotiation = new Set([401, 403, 429, 431]);

/** The header fields that a problem has because of the operation. */
function headersOf(operation: Operation, status: number): readonly HeaderDescription[] {
  const { problemHeaders, variesByAccept, idempotencyKey } = operation;
  return [
    ...deprecationHeaders(operation, 'problem'),
    ...(problemHeaders?.[status] ?? []),
    ...(variesByAccept === true && !beforeNegotiation.has(status)
      ? [{ ...varyHeader, isRequired: status === 406 }]
      : []),
    ...(idempotencyKey !== undefined && status === 422 ? [idempotentReplayedHeader] : []),
  ];
}
