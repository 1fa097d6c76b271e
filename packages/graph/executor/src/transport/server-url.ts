/** Where a server is. */
export interface ServerPlace {
  /** `http` or `https`. */
  readonly url: string;
  /** Of the Unix domain socket where it listens; absent for TCP. */
  readonly socketPath?: string;
}

/**
 * Reads the URL of a server: `http`, `https`, or `unix:///path/to.sock?path=/graphql`, Apollo Router's form for HTTP over
 * a Unix domain socket, in which the path of the request is `/` where none is named. Undefined for any other text.
 */
export function readServerUrl(url: string): ServerPlace | undefined {
  const [, socketPath, query = ''] = /^unix:\/\/([^?]+)(?:\?(.*))?$/su.exec(url) ?? [];
  if (socketPath === undefined) {
    return /^https?:$/u.test(URL.parse(url)?.protocol ?? '') ? { url } : undefined;
  }
  const named = query.split('&').find((parameter) => parameter.startsWith('path='));
  const requested = URL.parse(named?.slice('path='.length) || '/', 'http://localhost');
  return requested === null ? undefined : { url: requested.href, socketPath };
}
