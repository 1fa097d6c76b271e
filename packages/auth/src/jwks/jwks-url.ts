import { isIPv4 } from 'node:net';

/**
 * The URL of a JWKS, as a variable of `@meridian/config`: `variable(jwksUrl, { … })`.
 *
 * An attacker who can change a JWKS in transit can sign tokens. So production accepts `https:` only;
 * development also accepts a file, and plain HTTP on loopback. Both accept `http:` to hosts that the operator
 * lists, such as hosts in a mesh that encrypts its traffic. Contract: Identity.
 */
export const jwksUrl = {
  takes:
    'an https:// URL without credentials, or in development also a file:// URL or an http:// URL on loopback',

  /**
   * The URL; `undefined` for one that the mode does not allow, unless it is an `http:` URL of one of `plainHttpHosts`.
   */
  parse(
    text: string,
    mode: 'development' | 'production',
    plainHttpHosts: readonly string[] = [],
  ): URL | undefined {
    const url = URL.parse(text);
    const isAllowed =
      url !== null &&
      hasNoCredentials(url) &&
      (url.protocol === 'https:' ||
        (mode === 'development' && isLocal(url)) ||
        (url.protocol === 'http:' && plainHttpHosts.some((host) => host.toLowerCase() === url.hostname)));
    return isAllowed ? url : undefined;
  },
} as const;

/** `fetch` refuses a URL with credentials, and a log would show them. */
function hasNoCredentials({ username, password }: URL): boolean {
  return username === '' && password === '';
}

function isLocal({ protocol, hostname }: URL): boolean {
  return protocol === 'file:' ? hostname === '' : protocol === 'http:' && isLoopback(hostname);
}

/** The URL parser writes every spelling of an IPv4 address as four decimal numbers. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
  );
}
