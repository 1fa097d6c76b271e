/** A remote file could not be fetched, or is none that can be used. The message is one line that names it. */
export class RemoteFileError extends Error {
  override readonly name = 'RemoteFileError';

  constructor(url: string, fault: string, options?: ErrorOptions) {
    super(`Cannot fetch ${withoutCredentials(url)}: ${fault}`, options);
  }
}

function withoutCredentials(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
