import type { Caller } from './caller.ts';
import { IssuerKeys } from './jwks/issuer-keys.ts';
import { jwksUrl } from './jwks/jwks-url.ts';
import { loadJwks } from './jwks/load-jwks.ts';
import { invalidToken } from './problems.ts';
import { callerFromClaims } from './token/caller-from-claims.ts';
import { readUnverified } from './token/read-unverified.ts';
import { createTokenCache } from './token/token-cache.ts';
import { verifyToken } from './token/verify-token.ts';
import type { JwksFailure, TrustedIssuer } from './trusted-issuer.ts';

export interface TokenVerifierOptions {
  readonly issuers: readonly TrustedIssuer[];
  /** How far an issuer's clock may be off; 30 when absent. */
  readonly clockToleranceSeconds?: number;
  /** How many verified tokens to remember, the oldest forgotten first; 10 000 when absent. */
  readonly maxCachedTokens?: number;
  /** Milliseconds since the epoch; the system's clock when absent. */
  readonly now?: () => number;
  readonly fetch?: typeof globalThis.fetch;
  /** Told of each failure to get keys, for the log. A caller notices one only when no known key fits its token. */
  readonly onJwksFailure?: (failure: JwksFailure) => void;
}

export interface TokenVerifier {
  /** The caller that a token stands for; rejects with the problem `invalid-token` or `unavailable`. */
  verify(token: string): Promise<Caller>;
  /** Gives up the requests for keys that are under way. */
  close(): void;
}

/**
 * Creates the token verifier of a process. Keys are fetched when the first token needs them.
 * Throws a `TypeError` when there is no issuer, one twice, or one with a URL that `jwksUrl` refuses even in development.
 *
 * Contract: Identity.
 */
export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const { clockToleranceSeconds = 30, maxCachedTokens = 10_000, now = Date.now } = options;
  const closing = new AbortController();
  const issuers = new Map(
    options.issuers.map((trusted) => [
      trusted.issuer,
      { trusted, keys: keysOf(trusted, options, now, closing.signal) },
    ]),
  );
  if (issuers.size === 0 || issuers.size < options.issuers.length) {
    throw new TypeError('Cannot create a token verifier: it takes at least one issuer, and each only once');
  }
  const cache = createTokenCache({ maxEntries: maxCachedTokens, now });

  return {
    async verify(token) {
      const known = cache.find(token);
      if (known !== undefined) {
        return known;
      }
      const unverified = readUnverified(token);
      const issuer = issuers.get(unverified.issuer);
      if (issuer === undefined) {
        throw invalidToken('The token is not from a trusted issuer.');
      }
      const { trusted, keys } = issuer;
      const candidates = await keys.find(unverified);
      const { claims, key } = await verifyToken(token, candidates, {
        issuer: trusted,
        clockToleranceSeconds,
        now,
      });
      const caller = callerFromClaims(claims, trusted);
      cache.keep(token, caller, () => keys.has(key));
      return caller;
    },
    close() {
      closing.abort();
    },
  };
}

function keysOf(
  { issuer, jwksUrl: location }: TrustedIssuer,
  { fetch = globalThis.fetch, onJwksFailure }: TokenVerifierOptions,
  now: () => number,
  signal: AbortSignal,
): IssuerKeys {
  const url = jwksUrl.parse(String(location), 'development');
  if (url === undefined) {
    throw new TypeError(`Cannot create a token verifier: the JWKS of ${issuer} is not at ${jwksUrl.takes}`);
  }
  return new IssuerKeys({
    load: () => loadJwks(url, { fetch, signal }),
    now,
    onFailure: (error) => {
      if (!signal.aborted) {
        onJwksFailure?.({ issuer, error });
      }
    },
  });
}
