import type { WholeResponse } from '@meridian/http';
import { createdResponse } from '@meridian/rest';

/** No cache may keep a secret. */
export const secretCacheControl = 'no-store';

/** The response to a POST that made a secret. */
export function secretResponse(location: string, json: string): WholeResponse {
  const response = createdResponse(location, json);
  return { ...response, headers: { ...response.headers, 'Cache-Control': secretCacheControl } };
}
