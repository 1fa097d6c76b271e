import type { IncomingHttpHeaders } from 'node:http';

import type { RouterConfig } from '@meridian/router-config';

import { requestError } from '../../errors/request-error.ts';
import { bodyMediaTypes } from '../../http/media-types.ts';

const wellFormedType = /^\s*([\w.+-]+\/[\w.+-]+)\s*(?:;|$)/;

/**
 * Lets a request pass only if no foreign web page could have made a browser send it without a preflight: with a
 * `Content-Type` of JSON, or with one of the required header fields. Apollo Router lets each type pass that a form cannot
 * have. Browsers have sent such types without a preflight (GHSA-9q82-xgwf-vj6h), and no client needs them: a POST takes
 * JSON only, and a GET has no body.
 *
 * @throws {RequestError}
 */
export function preventCsrf(
  headers: IncomingHttpHeaders,
  { unsafe_disabled: isDisabled, required_headers: requiredHeaders }: RouterConfig['csrf'],
): void {
  const isPreflighted =
    isDeclaredAsJson(headers) || requiredHeaders.some((name) => (headers[name.toLowerCase()] ?? '') !== '');
  if (!isDisabled && !isPreflighted) {
    throw requestError(
      'BAD_REQUEST',
      `This request is blocked as a potential cross-site request forgery: send a Content-Type such as application/json, or one of the header fields ${requiredHeaders.join(', ')}`,
    );
  }
}

/** Undefined for a malformed declaration. */
function essenceOf(declaration: string): string | undefined {
  const [, essence] = wellFormedType.exec(declaration) ?? [];
  return essence?.toLowerCase();
}

/** Browsers differ on malformed media types. */
function isDeclaredAsJson(headers: IncomingHttpHeaders): boolean {
  const { 'content-type': declaration = '' } = headers;
  const isExact = bodyMediaTypes.some((type) => type === declaration);
  return isExact || bodyMediaTypes.some((type) => type === essenceOf(declaration));
}
