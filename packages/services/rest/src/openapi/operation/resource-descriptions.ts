import { privateCacheControl } from '@meridian/http';

import { cacheControlHeader, etagHeader } from './headers.ts';
import type {
  Content,
  HeaderDescription,
  MediaTypeDescription,
  PathParameter,
  ResponseDescription,
} from './operation.ts';

/**
 * The response that `sendJson` makes.
 *
 * @param headers of further fields
 */
export function jsonDescription(
  description: string,
  schema: MediaTypeDescription,
  headers: readonly HeaderDescription[] = [],
): ResponseDescription {
  return {
    description,
    headers: [...headers, cacheControlHeader(privateCacheControl)],
    content: { 'application/json': schema },
  };
}

/**
 * The responses that `sendTagged` makes.
 *
 * @param thing starts a sentence, such as `The account`
 */
export function taggedDescriptions(
  thing: string,
  content: Content,
): Readonly<Record<number, ResponseDescription>> {
  const headers = [etagHeader, cacheControlHeader(privateCacheControl)];
  return {
    200: { description: `${thing}.`, headers, content },
    304: { description: `${thing} is still as \`If-None-Match\` names it.`, headers },
  };
}

/** The identifier of a thing, a UUID, in the path. */
export function identifierParameter<const Name extends string>(
  name: Name,
  thing: string,
): PathParameter<Name> {
  return {
    name,
    in: 'path',
    isRequired: true,
    description: `The identifier of the ${thing}.`,
    schema: { type: 'string', format: 'uuid' },
  };
}

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
