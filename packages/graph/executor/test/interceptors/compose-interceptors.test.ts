import { describe, expect, it } from '@jest/globals';

import type { Interceptor } from '../../src/index.ts';
import { composeInterceptors } from '../../src/index.ts';

describe('composeInterceptors', () => {
  const around =
    (name: string): Interceptor<string, string> =>
    (request, next) =>
      `${name}(${next(`${request} ${name}`)})`;

  it('calls the first interceptor first, and it gets the response last', () => {
    const handle = composeInterceptors([around('a'), around('b')], (request) => `[${request}]`);

    expect(handle('request')).toBe('a(b([request a b]))');
  });

  it('ends a request with an interceptor that does not call the next one', () => {
    const handle = composeInterceptors([around('a'), () => 'cached', around('b')], () => 'never');

    expect(handle('request')).toBe('a(cached)');
  });

  it('returns the handler itself when no interceptor is configured', () => {
    const last = (request: string): string => request;

    expect(composeInterceptors([undefined, undefined], last)).toBe(last);
  });
});
