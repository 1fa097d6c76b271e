/** The token of the page's user. */
export interface Session {
  token(): Promise<string>;
  /** A new token in place of one that the gateway no longer accepts. Concurrent calls share one request. */
  renew(rejected: string | undefined): Promise<string>;
}

/** Opens a session, which requests its first token when one is needed. */
export function openSession(fetchToken: () => Promise<string>): Session {
  let current: Promise<string> | undefined;
  return {
    token: () => (current ??= fetchToken()),
    async renew(rejected) {
      if ((await current) === rejected) {
        current = fetchToken();
      }
      return await (current ??= fetchToken());
    },
  };
}
