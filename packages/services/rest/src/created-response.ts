import { privateCacheControl } from '@meridian/http';
import type { WholeResponse } from '@meridian/http';

/**
 * The response to a POST that made something: 201, where it is read back, and it as JSON.
 *
 * @param location its path
 */
export function createdResponse(location: string, json: string): WholeResponse {
  return {
    status: 201,
    headers: {
      Location: location,
      'Cache-Control': privateCacheControl,
      'Content-Type': 'application/json',
    },
    body: json,
  };
}
