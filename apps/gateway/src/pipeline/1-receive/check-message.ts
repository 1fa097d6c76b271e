import type { RequestHead } from '@meridian/http';
import { codedContentTypeOf } from '@meridian/http';
import { Problem } from '@meridian/problem-details';

import { bodyCoding } from '../../http/body-coding.ts';
import { requestError } from '../../errors/request-error.ts';
import { bodyMediaTypes } from '../../http/media-types.ts';

/**
 * Checks the header fields of a message, before its body is read.
 *
 * @returns the method; GET for HEAD, whose response is that to a GET without its body (RFC 9110 §9.3.2)
 * @throws {RequestError} for another method, a WebSocket, and a body of another media type or coding
 */
export function checkMessage(request: RequestHead): 'GET' | 'POST' {
  const method = checkMethod(request);
  if (method === 'POST') {
    bodyCoding(request.headers['content-encoding']);
    checkMediaType(request);
  }
  return method;
}

/**
 * The method of a request to the graph endpoint.
 *
 * @throws {RequestError} 405 for any but GET, HEAD and POST, 400 for the handshake of a WebSocket
 */
function checkMethod({ method, headers }: RequestHead): 'GET' | 'POST' {
  if (headers.upgrade?.toLowerCase() === 'websocket') {
    throw requestError(
      'BAD_REQUEST',
      'The gateway supports neither WebSockets nor subscriptions: send operations by GET or POST',
    );
  }
  if (method === 'GET' || method === 'HEAD') {
    return 'GET';
  }
  if (method === 'POST') {
    return method;
  }
  throw requestError('METHOD_NOT_ALLOWED', 'The graph endpoint takes GET and POST', {
    headers: { Allow: 'GET, HEAD, POST' },
  });
}

function checkMediaType(request: RequestHead): void {
  const { headers } = request;
  if (headers['content-type'] === 'application/json' && headers['transfer-encoding'] === undefined) {
    return;
  }
  const contentType = headers['content-type']?.toLowerCase() ?? '';
  if (contentType.startsWith('multipart/form-data')) {
    throw requestError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The gateway does not support file uploads (multipart/form-data): upload the file to another service, and send its URL',
    );
  }
  try {
    if (codedContentTypeOf(request, bodyMediaTypes) !== undefined) {
      checkCharset(contentType);
      return;
    }
  } catch (error) {
    throw error instanceof Problem ? unsupportedMediaType(error.detail.replace(/\.$/, '')) : error;
  }
  throw unsupportedMediaType();
}

/** JSON is UTF-8 (RFC 8259 §8.1): a body in a declared Latin-1 would be read as another text. */
function checkCharset(contentType: string): void {
  const [, charset = 'utf-8'] = charsetParameter.exec(contentType) ?? [];
  if (!['utf-8', 'utf8', 'us-ascii'].includes(charset)) {
    throw unsupportedMediaType('The body must be encoded as UTF-8');
  }
}

const charsetParameter = /;[ \t]*charset="?([^";, \t]*)/;

function unsupportedMediaType(
  message = `The body must be declared as ${bodyMediaTypes.join(' or ')}`,
): Error {
  return requestError('UNSUPPORTED_MEDIA_TYPE', message);
}
