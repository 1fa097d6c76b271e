import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';

import { problem } from '@meridian/problem-details';

import { negotiate } from '../request/negotiate.ts';
import { sendResponse } from './http-response.ts';
import { privateCacheControl } from './cache-control.ts';

/** A text that is the same for every caller, for as long as the process runs. */
export interface PublicDocument {
  readonly mediaType: string;
  /** For a media type that has the parameter: JSON has none. */
  readonly charset?: 'utf-8';
  readonly text: string;
  /** Header fields beside those that every document has. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Serves GET and HEAD of a document: 200 with a validator, 304 to a client that has it. The validator comes from the
 * text, so that replicas and restarts of one version share it.
 *
 * @throws {Problem} `not-acceptable`
 */
export function publicDocument({ mediaType, charset, text, headers = {} }: PublicDocument): RequestListener {
  const body = Buffer.from(text);
  const validators = {
    ETag: `"${createHash('sha256').update(body).digest().toString('base64url', 0, 16)}"`,
    'Cache-Control': privateCacheControl,
  };
  const contentType = charset === undefined ? mediaType : `${mediaType}; charset=${charset}`;
  return (request, response) => {
    if (negotiate(request.headers.accept, [mediaType]) === undefined) {
      throw problem('not-acceptable', `This document is available as ${mediaType}.`);
    }
    if (request.headers['if-none-match'] === validators.ETag) {
      sendResponse(request, response, { status: 304, headers: validators });
    } else {
      sendResponse(request, response, {
        status: 200,
        headers: { ...validators, ...headers, 'Content-Type': contentType },
        body,
      });
    }
  };
}
