/** A remote file could not be fetched, or is none that can be used. The message is one line that names it. */
export class RemoteFileError extends Error {
  constructor(url: string, fault: string, options?: ErrorOptions) {
    super(`Cannot fetch ${withoutCredentials(url)}: ${fault}`, options);
    this.name = 'RemoteFileError';
  }
}

function withoutCredentials(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
