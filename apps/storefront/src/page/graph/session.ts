/** The token of the page's user. */
export interface Session {
  token(): Promise<string>;
  /** Another token in place of the one that the gateway no longer takes; one request for all who ask at once. */
  renew(refused: string | undefined): Promise<string>;
}

/** Opens a session that asks for its first token when one is needed. */
export function openSession(fetchToken: () => Promise<string>): Session {
  let current: Promise<string> | undefined;
  return {
    token: () => (current ??= fetchToken()),
    async renew(refused) {
      if ((await current) === refused) {
        current = fetchToken();
      }
      return await (current ??= fetchToken());
    },
  };
}
