import { privateCacheControl } from '@meridian/http';

import { cacheControlHeader, etagHeader } from './headers.ts';
import type { Content, HeaderDescription, ResponseDescription } from './operation.ts';

/** The responses of `publicDocument`, from `@meridian/http`. */
export function publicDocumentResponses(
  description: string,
  content: Content,
  headers: readonly HeaderDescription[] = [],
): Readonly<Record<number, ResponseDescription>> {
  const validators = [etagHeader, cacheControlHeader(privateCacheControl)];
  return {
    200: { description, headers: [...validators, ...headers], content },
    304: { description: 'The document is still the one that `If-None-Match` names.', headers: validators },
  };
}
