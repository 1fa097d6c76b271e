import { problemKinds } from '@meridian/problem-details';
import type { ProblemKind } from '@meridian/problem-details';

const afterRetryAfter = 'Yes, after the seconds that Retry-After states.';

/** Where sending again helps. Spec: Errors, "Status codes", client handling. */
const adviceByStatus = new Map<number, string>([
  [401, 'Yes, with a new token.'],
  [408, 'Yes, on a new connection.'],
  [412, 'Yes, with the current ETag, after reading again.'],
  [428, 'Yes, with If-Match.'],
  [429, afterRetryAfter],
  [500, 'Not by itself: the same request is likely to fail again.'],
  [503, afterRetryAfter],
  [504, afterRetryAfter],
]);

/** Says whether sending the request again helps. */
export function retryAdvice(kind: ProblemKind): string {
  if (kind === 'idempotency-key-in-flight') {
    return 'Yes, the same request, after a moment.';
  }
  return adviceByStatus.get(problemKinds[kind].status) ?? 'No: the same request is refused again.';
}
