import type { IncomingMessage } from 'node:http';

import { codedContentTypeOf } from '@meridian/http';
import { Problem } from '@meridian/problem-details';

import { bodyCoding } from '../../http/body-coding.ts';
import { requestError } from '../../errors/request-error.ts';
import { checkMethod } from './check-method.ts';

const mediaTypes = ['application/json', 'application/graphql+json'] as const;

/**
 * Checks the header fields of a message, before its body is read.
 *
 * @returns the method
 * @throws {RequestError} for another method, a WebSocket, and a body of another media type or coding
 */
export function checkMessage(request: IncomingMessage): 'GET' | 'POST' {
  const method = checkMethod(request);
  if (method === 'POST') {
    bodyCoding(request.headers['content-encoding']);
    checkMediaType(request);
  }
  return method;
}

function checkMediaType(request: IncomingMessage): void {
  if (request.headers['content-type']?.toLowerCase().startsWith('multipart/form-data') === true) {
    throw requestError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The gateway does not support file uploads (multipart/form-data): upload the file to another service, and send its URL',
    );
  }
  const message = `The body must be declared as ${mediaTypes.join(' or ')}`;
  try {
    if (codedContentTypeOf(request, mediaTypes) !== undefined) {
      return;
    }
  } catch (error) {
    throw error instanceof Problem ? requestError('UNSUPPORTED_MEDIA_TYPE', message) : error;
  }
  throw requestError('UNSUPPORTED_MEDIA_TYPE', message);
}
