import type { ProblemKind } from '@meridian/problem-details';

import type { Operation } from '../operation/operation.ts';

/**
 * Every kind of problem that an operation can return: its own, and those that follow from its inputs. 404
 * `route-not-found` and 405 `method-not-allowed` are not among them: they belong to no operation.
 */
export function problemKindsOf(operation: Operation): readonly ProblemKind[] {
  const { scope, parameters = [], body, idempotencyKey, problems = [] } = operation;
  const kinds: readonly (ProblemKind | readonly ProblemKind[])[] = [
    [
      'malformed-request',
      'request-timeout',
      'path-too-long',
      'headers-too-large',
      'not-acceptable',
      'internal',
    ],
    scope === 'none'
      ? []
      : [
          ...(['authentication-required', 'invalid-token', 'insufficient-scope'] as const),
          ...(['throttled', 'unavailable', 'upstream-timeout'] as const),
        ],
    parameters.some((parameter) => parameter.in === 'query') ? ['invalid-parameter'] : [],
    body === undefined ? [] : ['unsupported-media-type', 'malformed-body'],
    idempotencyKey === undefined
      ? []
      : ['invalid-parameter', 'idempotency-key-reused', 'idempotency-key-in-flight'],
    problems,
  ];
  return [...new Set(kinds.flat())];
}
