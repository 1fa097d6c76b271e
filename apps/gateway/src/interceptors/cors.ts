import type { IncomingHttpHeaders } from 'node:http';

import type { HttpResponse, RequestHead } from '@meridian/http';
import { targetOf } from '@meridian/http';
import type { Cors, RouterConfig } from '@meridian/router-config';

import { requestError } from '../errors/request-error.ts';
import { preventCsrf } from '../pipeline/1-receive/prevent-csrf.ts';
import type { RequestInterceptor } from './gateway-request.ts';

type Policy = Cors['policies'][number];

/** The rules for one origin, merged with the rules for all. */
interface Permission
  extends
    Pick<Cors, 'allow_credentials' | 'allow_headers' | 'expose_headers' | 'methods' | 'max_age'>,
    Partial<Pick<Policy, 'private_network_access'>> {
  /** The value of `Access-Control-Allow-Origin`. */
  readonly origin: string;
}

/**
 * Tells browsers which pages may read responses, by Apollo Router's `cors`, and responds to preflight requests for the
 * graph. It rejects no request: `preventCsrf` and the caller's token do that.
 *
 * Fetch Standard §3.3, "CORS protocol".
 */
export function cors(rules: Cors, graphPaths: readonly string[]): RequestInterceptor {
  const permissionOf = createPermissions(rules);
  const preflightResponse = ({ headers }: RequestHead): HttpResponse => {
    const permission = permissionOf(headers.origin ?? '');
    const requested = headers['access-control-request-headers'];
    const fields = permission === undefined ? {} : preflightFields(permission, requested);
    const asksForNetwork = headers['access-control-request-private-network'] === 'true';
    return {
      status: 204,
      headers: asksForNetwork ? { ...fields, ...privateNetworkFields(permission) } : fields,
    };
  };
  /** The response with the header fields that let the page read it. */
  const readable = (response: HttpResponse, origin: string | undefined): HttpResponse => {
    if (rules.allow_any_origin) {
      // Also without an origin: a cache may use the response for a page of another one.
      return withFields(response, responseFields(permissionOf(origin ?? '')));
    }
    // A shared cache must keep the response for each origin separately, and for requests without an origin.
    const isForEverybody = response.headers?.['Cache-Control']?.includes('public') === true;
    if (origin === undefined) {
      return isForEverybody ? varyingByOrigin(response) : response;
    }
    return varyingByOrigin(withFields(response, responseFields(permissionOf(origin))));
  };
  const throughReadable: RequestInterceptor = async (request, next) =>
    readable(await next(request), request.exchange.headers.origin);

  return (request, next) => {
    const { exchange } = request;
    if (isPreflight(exchange)) {
      return graphPaths.includes(targetOf(exchange).path) ? preflightResponse(exchange) : next(request);
    }
    // No cache keeps the response to a POST for others.
    const concernsPages =
      exchange.headers.origin !== undefined || rules.allow_any_origin || exchange.method !== 'POST';
    return concernsPages ? throughReadable(request, next) : next(request);
  };
}

/** Tells origins whose pages may read responses. A WebSocket has no preflight, and sends cookies along. */
export function createOriginCheck(rules: Cors): (origin: string) => boolean {
  const permissionOf = createPermissions(rules);
  return (origin) => permissionOf(origin) !== undefined;
}

/**
 * Tells requests that may use a credential that browsers send by themselves. They come from a page of the gateway's own
 * origin, from one that may send credentials, or from a client other than a browser.
 */
function createCredentialCheck(rules: Cors): (headers: IncomingHttpHeaders) => boolean {
  const permissionOf = createPermissions(rules);
  return ({ origin, host, 'sec-fetch-site': site }) => {
    if (site === 'same-origin' || site === 'none') {
      return true;
    }
    if (origin === undefined) {
      return site === undefined;
    }
    // A browser that says where the page is from knows its scheme too: http://api.example is not https://api.example.
    return (
      (site === undefined && isOwnOrigin(origin, host)) || permissionOf(origin)?.allow_credentials === true
    );
  };
}

/**
 * Creates the check of a request whose token is in a cookie. A browser sends a cookie with requests of any page. So it
 * counts only where no foreign page can have made the browser send it: after a preflight (or with the check of a
 * WebSocket’s origin), and from a page of the gateway's own origin or one that CORS allows to send credentials. Other
 * clients have to send a preflighted header field too.
 *
 * @returns a function that throws {RequestError} BAD_REQUEST
 */
export function createCookieCheck({ cors, csrf }: RouterConfig): (headers: IncomingHttpHeaders) => void {
  const mayPageSend = createCredentialCheck(cors);
  const strict = { ...csrf, unsafe_disabled: false };
  return (headers) => {
    preventCsrf(headers, strict);
    if (!mayPageSend(headers)) {
      throw requestError(
        'BAD_REQUEST',
        'This request is blocked as a potential cross-site request forgery: its token is in a cookie, and no policy of cors lets pages of this origin send credentials',
      );
    }
  };
}

/** True for a page that the gateway's own host has served. */
export function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

function isPreflight({ method, headers }: RequestHead): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}

/** A host name has at most 253 characters. Anything longer is not an origin, and matching it could be slow. */
const maxOriginLength = 300;

/** Policies are tried in their order, each with its `origins` before its `match_origins`. */
function createPermissions(cors: Cors): (origin: string) => Permission | undefined {
  return (origin) => {
    const policies = origin.length > maxOriginLength ? [] : cors.policies;
    const policy = policies.find(
      ({ origins, match_origins: patterns }) =>
        origins.includes(origin) || patterns.some((pattern) => pattern.test(origin)),
    );
    if (policy === undefined && !cors.allow_any_origin) {
      return undefined;
    }
    return {
      origin: cors.allow_any_origin ? '*' : origin,
      allow_credentials: policy?.allow_credentials ?? cors.allow_credentials,
      allow_headers: policy?.allow_headers ?? cors.allow_headers,
      expose_headers: policy?.expose_headers ?? cors.expose_headers,
      methods: policy?.methods ?? cors.methods,
      max_age: policy?.max_age ?? cors.max_age,
      private_network_access: policy?.private_network_access,
    };
  };
}

type Fields = Readonly<Record<string, string>>;

/** The header fields that a page may send. Without a list, the requested ones are granted. */
function preflightFields(
  { allow_headers: sendable, methods, max_age: maxAgeMs, ...permission }: Permission,
  requested: string | undefined,
): Fields {
  const granted = sendable.length > 0 ? sendable.join(', ') : requested;
  return {
    ...originFields(permission),
    'Access-Control-Allow-Methods': methods.join(', '),
    ...(granted !== undefined && { 'Access-Control-Allow-Headers': granted }),
    ...(maxAgeMs !== undefined && { 'Access-Control-Max-Age': String(Math.floor(maxAgeMs / 1000)) }),
    Vary: 'Origin, Access-Control-Request-Headers',
  };
}

/** Private Network Access (WICG) §3.1 and §3.5. */
function privateNetworkFields(permission: Permission | undefined): Fields {
  const granted = permission?.private_network_access;
  if (granted === undefined) {
    return {};
  }
  const { access_id: id, access_name: name } = granted;
  return {
    'Access-Control-Allow-Private-Network': 'true',
    ...(id !== undefined && { 'Private-Network-Access-ID': id }),
    ...(name !== undefined && { 'Private-Network-Access-Name': name }),
  };
}

function responseFields(permission: Permission | undefined): Fields {
  if (permission === undefined) {
    return {};
  }
  const { expose_headers: readable } = permission;
  return {
    ...originFields(permission),
    ...(readable.length > 0 && { 'Access-Control-Expose-Headers': readable.join(', ') }),
  };
}

function originFields({
  origin,
  allow_credentials: withCredentials,
}: Pick<Permission, 'origin' | 'allow_credentials'>): Fields {
  return {
    'Access-Control-Allow-Origin': origin,
    ...(withCredentials && { 'Access-Control-Allow-Credentials': 'true' }),
  };
}

function withFields(response: HttpResponse, fields: Fields): HttpResponse {
  return { ...response, headers: { ...response.headers, ...fields } };
}

function varyingByOrigin(response: HttpResponse): HttpResponse {
  const vary = response.headers?.['Vary'];
  return withFields(response, { Vary: vary === undefined ? 'Origin' : `${vary}, Origin` });
}
