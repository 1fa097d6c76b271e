import type { IncomingHttpHeaders } from 'node:http';

import { authenticationRequired } from '@meridian/auth';
import type { RouterConfig, TokenSourceRule } from '@meridian/router-config';

/** The places of a request that may hold its token. */
export type TokenSources = NonNullable<ReturnType<typeof createTokenSources>>;

type FindToken = (headers: IncomingHttpHeaders) => string | undefined;

/**
 * Apollo Router's `authentication.router.jwt`. Undefined where it has its default: a bearer token in `Authorization`.
 *
 * @param checkCookie throws for a request that a foreign page may have made a browser send
 */
export function createTokenSources(
  { authentication }: RouterConfig,
  checkCookie: (headers: IncomingHttpHeaders) => void,
) {
  const jwt = authentication?.router?.jwt;
  if (jwt === undefined) {
    return undefined;
  }
  const main: TokenSourceRule = {
    type: 'header',
    name: jwt.header_name,
    value_prefix: jwt.header_value_prefix,
  };
  const ignoresInvalid = jwt.on_error.toLowerCase() === 'continue';
  const isUsual =
    jwt.header_name.toLowerCase() === 'authorization' &&
    jwt.header_value_prefix.toLowerCase() === 'bearer' &&
    jwt.sources.length === 0;
  if (isUsual && !jwt.ignore_other_prefixes && !ignoresInvalid) {
    return undefined;
  }
  const sources = [main, ...jwt.sources];
  const finders = sources.map((source) =>
    source.type === 'header' ? inHeader(source, jwt.ignore_other_prefixes) : inCookie(source, checkCookie),
  );
  return {
    /** The header fields that are read, in lower case. */
    fields: [...new Set(sources.map(({ type, name }) => (type === 'header' ? nameOf(name) : 'cookie')))],
    /** True when a request with an invalid token continues as anonymous. */
    ignoresInvalid,
    /**
     * The token of a request, from the first source that has one; undefined where none has.
     *
     * @throws {Problem} `authentication-required` for a header field with another prefix
     * @throws {RequestError} BAD_REQUEST for a cookie that a foreign page may have made a browser send
     */
    find(headers: IncomingHttpHeaders): string | undefined {
      for (const findToken of finders) {
        const token = findToken(headers);
        if (token !== undefined) {
          return token;
        }
      }
      return undefined;
    },
  };
}

function nameOf(name = 'authorization'): string {
  return name.toLowerCase();
}

function inHeader(
  { name, value_prefix: word = 'Bearer' }: TokenSourceRule,
  ignoresOthers: boolean,
): FindToken {
  const field = nameOf(name);
  const start = word === '' ? '' : `${word.toLowerCase()} `;
  return (headers) => {
    const value = headers[field];
    if (typeof value !== 'string') {
      return undefined;
    }
    const trimmed = value.trim();
    const token = trimmed.slice(start.length).trimStart();
    if (trimmed.slice(0, start.length).toLowerCase() === start && token !== '' && !token.includes(' ')) {
      return token;
    }
    if (ignoresOthers) {
      return undefined;
    }
    throw authenticationRequired();
  };
}

function inCookie(
  { name = '' }: TokenSourceRule,
  checkCookie: (headers: IncomingHttpHeaders) => void,
): FindToken {
  return (headers) => {
    const token = cookieNamed(name, headers.cookie);
    if (token !== undefined) {
      checkCookie(headers);
    }
    return token;
  };
}

/** RFC 6265 §4.2.1. Browsers send the cookie with the longest path first. An empty one is what a log-out leaves. */
function cookieNamed(name: string, field: string | undefined): string | undefined {
  for (const pair of field?.split(';') ?? []) {
    const end = pair.indexOf('=');
    if (end > 0 && pair.slice(0, end).trim() === name) {
      const value = pair.slice(end + 1).trim();
      const unquoted =
        value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
      return unquoted === '' ? undefined : unquoted;
    }
  }
  return undefined;
}
