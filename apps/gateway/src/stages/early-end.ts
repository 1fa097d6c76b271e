import type { HttpResponse } from '@meridian/http';

import type { RequestErrorCode } from '../errors/error-codes.ts';
import { RequestError } from '../errors/request-error.ts';
import type { EarlyResponse } from './messages.ts';
import { bodyOf, statusOf } from './message-parts.ts';
import { ChangeableHeaders, cookieFields, refusedOfResponse } from './stage-headers.ts';

/** A request that code at a stage has ended, with the response for its client. */
export class EarlyEnd extends RequestError {
  override readonly name = 'EarlyEnd';
  readonly response: HttpResponse;
  /** Sent beside the response: each name, followed by its value. */
  readonly cookies: readonly string[];

  constructor(handler: string, response: HttpResponse, cookies: readonly string[]) {
    super(codeOf(response.status), [{ message: `ended by ${handler}` }]);
    this.response = response;
    this.cookies = cookies;
  }
}

/**
 * @param isMember true for a response that becomes a member of a message: see `RequestStages.isMember`
 * @throws {StageRuleError} for a status, a header field or a body that cannot be sent
 */
export function earlyEnd(handler: string, ended: EarlyResponse, isMember: boolean): EarlyEnd {
  const { data, errors, extensions, body } = ended;
  const succeeds = data !== undefined || (body !== undefined && errors === undefined);
  const headers = new ChangeableHeaders({ 'content-type': 'application/json' }, refusedOfResponse);
  for (const [name, value] of Object.entries(ended.headers ?? {})) {
    headers.set(name, value);
  }
  const { cookies } = headers;
  headers.delete('set-cookie');
  const { 'content-type': contentType, 'cache-control': _policy, ...others } = Object.fromEntries(headers);
  const response = {
    status: statusOf(ended.status ?? (succeeds ? 200 : 400)),
    headers: {
      'Content-Type': contentType ?? 'application/json',
      'Cache-Control': 'private, no-store',
      ...others,
    },
    body: body === undefined ? JSON.stringify({ errors, data, extensions }) : bodyOf(body, isMember),
  };
  return new EarlyEnd(handler, response, cookieFields(cookies));
}

/** For metrics and the log. */
function codeOf(status: number): RequestErrorCode {
  switch (status) {
    case 401:
      return 'UNAUTHENTICATED';
    case 403:
      return 'UNAUTHORIZED_FIELD_OR_TYPE';
    case 404:
      return 'NOT_FOUND';
    case 429:
      return 'REQUEST_RATE_LIMITED';
    case 503:
      return 'SERVICE_UNAVAILABLE';
    default:
      return status < 500 ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR';
  }
}
