import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';

import { problem } from '@meridian/problem-details';

import { negotiate } from '../exchange/negotiate.ts';
import { privateCacheControl, sendResponse } from '../exchange/http-response.ts';

/** A text that is the same for every caller and never changes while the process runs. */
export interface PublicDocument {
  readonly mediaType: string;
  /** Absent for media types without this parameter, such as JSON. */
  readonly charset?: 'utf-8';
  readonly text: string;
  /** Further header fields. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Serves GET and HEAD of a document: 200 with a validator, or 304 for a client that has it. The validator is derived
 * from the text, so all replicas of a version share it.
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
