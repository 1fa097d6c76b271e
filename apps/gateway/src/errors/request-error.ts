import type { GraphQLFormattedError } from 'graphql';

import type { RequestErrorCode } from './error-codes.ts';
import { requestErrorKinds } from './error-codes.ts';

/** One error of a request error, without the code and the trace, which all of them share. */
export interface RequestErrorDetail {
  readonly message: string;
  readonly locations?: GraphQLFormattedError['locations'] | undefined;
  readonly path?: GraphQLFormattedError['path'];
}

export interface RequestErrorOptions {
  /** Further members of `extensions`. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Header fields of the response, such as `WWW-Authenticate`, `Retry-After` or `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The underlying cause; for the log, never for the client. */
  readonly cause?: unknown;
}

/**
 * A rejection of a request, safe to show: made only from what the client sent and may know. Everything else that is
 * thrown is a bug or an outage, logged with its cause and shown without it.
 */
export class RequestError extends Error {
  override readonly name: string = 'RequestError';
  readonly code: RequestErrorCode;
  readonly errors: readonly RequestErrorDetail[];
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: RequestErrorCode,
    errors: readonly RequestErrorDetail[],
    { extensions = {}, headers = {}, cause }: RequestErrorOptions = {},
  ) {
    const shown = errors.map((error) => ({ ...error, message: cut(error.message) }));
    super(shown[0]?.message, cause === undefined ? {} : { cause });
    this.code = code;
    this.errors = shown;
    this.extensions = extensions;
    this.headers = headers;
  }
}

/** Messages quote the request, which may have megabytes: neither the response nor the log repeats all of it. */
const maxMessageLength = 500;

function cut(message: string): string {
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)} …` : message;
}

/** Builds the request error of a code; the rule that finds the reason throws it. */
export function requestError(
  code: RequestErrorCode,
  message: string,
  options?: RequestErrorOptions,
): RequestError {
  return new RequestError(code, [{ message }], options);
}

/** The reason of a rejection, for the log; undefined if it would quote the request. */
export function loggedReason({ code, message }: RequestError): string | undefined {
  return 'quotesRequest' in requestErrorKinds[code] ? undefined : message;
}
