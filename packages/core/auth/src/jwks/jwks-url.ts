import { isIPv4 } from 'node:net';

/** URLs that the operator allows in production too. */
export interface AllowedJwksUrls {
  /** Hosts from which a JWKS may be fetched over `http:`, such as hosts in a mesh that encrypts its traffic. */
  readonly plainHttpHosts?: readonly string[] | undefined;
  /** True when a JWKS may be a file, such as a mounted secret. */
  readonly areFilesAllowed?: boolean;
}

/**
 * The URL of a JWKS, as a variable of `@meridian/settings/environment`: `variable(jwksUrl, { … })`.
 *
 * An attacker who can change a JWKS in transit can sign tokens. So production accepts `https:` only;
 * development also accepts a file, and plain HTTP on loopback. Both accept what the operator allows explicitly.
 * Contract: Identity.
 */
export const jwksUrl = {
  takes:
    'an https:// URL without credentials, or in development also a file:// URL or an http:// URL on loopback',

  /** The URL; `undefined` for one that neither the mode nor the operator allows. */
  parse(
    text: string,
    mode: 'development' | 'production',
    { plainHttpHosts = [], areFilesAllowed = false }: AllowedJwksUrls = {},
  ): URL | undefined {
    const url = URL.parse(text);
    const isAllowed =
      url !== null &&
      hasNoCredentials(url) &&
      (url.protocol === 'https:' ||
        (mode === 'development' && isLocal(url)) ||
        (areFilesAllowed && isFile(url)) ||
        (url.protocol === 'http:' && plainHttpHosts.some((host) => host.toLowerCase() === url.hostname)));
    return isAllowed ? url : undefined;
  },
} as const;

/** `fetch` refuses a URL with credentials, and a log would show them. */
function hasNoCredentials({ username, password }: URL): boolean {
  return username === '' && password === '';
}

function isLocal(url: URL): boolean {
  return isFile(url) || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** A file of another machine has a host name. */
function isFile({ protocol, hostname }: URL): boolean {
  return protocol === 'file:' && hostname === '';
}

/** The URL parser writes every spelling of an IPv4 address as four decimal numbers. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
  );
}
