import { privateCacheControl } from '@meridian/http';

import { cacheControlHeader, locationHeader } from './headers.ts';
import type { MediaTypeDescription, ResponseDescription } from './operation.ts';

/**
 * The response that `createdResponse` makes.
 *
 * @param location says whose path `Location` is
 */
export function createdDescription(
  description: string,
  location: string,
  schema: MediaTypeDescription,
  cacheControl: string = privateCacheControl,
): ResponseDescription {
  return {
    description,
    headers: [locationHeader(location), cacheControlHeader(cacheControl)],
    content: { 'application/json': schema },
  };
}
