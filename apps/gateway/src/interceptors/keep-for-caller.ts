import type { RequestInterceptor } from './gateway-request.ts';

/**
 * Keeps caches from using a response for other callers, where tokens come in other header fields than `Authorization`:
 * each response varies by these, and is private for a request that has one.
 *
 * @param fields in lower case
 */
export function keepForCaller(fields: readonly string[]): RequestInterceptor {
  return async (request, next) => {
    const response = await next(request);
    const { Vary: vary, 'Cache-Control': policy, ...others } = response.headers ?? {};
    const isForCaller = fields.some((name) => request.exchange.headers[name] !== undefined);
    return {
      ...response,
      headers: {
        ...others,
        Vary: vary === undefined ? fields.join(', ') : `${vary}, ${fields.join(', ')}`,
        ...(policy !== undefined && { 'Cache-Control': isForCaller ? asPrivate(policy) : policy }),
      },
    };
  };
}

function asPrivate(policy: string): string {
  const directives = policy
    .split(', ')
    .filter((directive) => directive !== 'public' && directive !== 'private');
  return ['private', ...directives].join(', ');
}
