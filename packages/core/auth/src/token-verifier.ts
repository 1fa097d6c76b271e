import type { Caller } from './caller.ts';
import { discoverJwks, loadJwks } from './jwks/load-jwks.ts';
import { IssuerKeys } from './jwks/issuer-keys.ts';
import { usualAlgorithms } from './jwks/signing-algorithms.ts';
import { jwksUrl } from './jwks/jwks-url.ts';
import { invalidToken } from './problems.ts';
import { callerFromClaims } from './token/caller-from-claims.ts';
import type { IntrospectionPlaces, TokenSender } from './token/introspect-token.ts';
import { createIntrospection } from './token/introspect-token.ts';
import type { UnverifiedToken } from './token/read-unverified.ts';
import { createTokenCache } from './token/token-cache.ts';
import type { VerifiedToken } from './token/verify-token.ts';
import type { Introspection, OpenKeySet, TrustedIssuer } from './trusted-issuer.ts';

export interface TokenVerifierOptions {
  readonly issuers: readonly TrustedIssuer[];
  /** Tried in order for the tokens of all other issuers. Without any, these tokens are rejected. */
  readonly openKeySets?: readonly OpenKeySet[];
  /** For opaque tokens; for all tokens where there is no key set. Absent: opaque tokens are rejected. */
  readonly introspection?: Introspection | undefined;
  /** Required with `introspection`. */
  readonly introspectionPlaces?: IntrospectionPlaces;
  /** The tolerance for the issuer's clock. Default: 30. */
  readonly clockToleranceSeconds?: number;
  /** The maximum of remembered tokens; the oldest is dropped first. Default: 10 000. */
  readonly maxCachedTokens?: number;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: () => number;
  readonly fetch?: typeof globalThis.fetch;
  /** Receives a line for each failure to fetch keys. A caller is affected only if no known key fits its token. */
  readonly logger?: JwksLogger;
}

/** The part of a logger that a token verifier uses. */
export interface JwksLogger {
  warn(fields: object, message: string): void;
}

export interface TokenVerifier {
  /**
   * The caller of a token; rejects with the problem `invalid-token` or `unavailable`.
   *
   * @param sender by default, all senders are one
   */
  verify(token: string, sender?: TokenSender): Promise<Caller>;
  /**
   * The caller of a token that was verified a short while ago; undefined for any other, which `verify` may know.
   *
   * @param holder as for a token cache
   */
  find(token: string, holder?: object): Caller | undefined;
  /** Cancels the requests for keys that are under way. */
  close(): void;
}

/** A source of keys, and the requirements on the tokens that they sign. */
interface KeySource {
  readonly trusted: TrustedIssuer | OpenKeySet;
  readonly keys: IssuerKeys;
}

/**
 * Creates the token verifier of a process. Keys are fetched when the first token needs them. A token of a trusted
 * issuer is verified with that issuer's keys alone: no open key set can pose as it.
 * Contract: Identity.
 *
 * @throws {TypeError} when there is neither an issuer nor an open key set, or a URL that `jwksUrl` refuses even in
 * development
 */
export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const { openKeySets = [], clockToleranceSeconds = 30, maxCachedTokens = 10_000, now = Date.now } = options;
  const closing = new AbortController();
  const sourceOf = (trusted: TrustedIssuer | OpenKeySet): KeySource => ({
    trusted,
    keys: keysOf(trusted, options, now, closing.signal),
  });
  const issuers = Map.groupBy(options.issuers.map(sourceOf), ({ trusted }) =>
    'issuer' in trusted ? trusted.issuer : undefined,
  );
  const { introspection } = options;
  const hasKeySets = issuers.size + openKeySets.length > 0;
  if (!hasKeySets && introspection === undefined) {
    throw new TypeError('Cannot create a token verifier: it takes at least one issuer');
  }
  const openSources = openKeySets.map(sourceOf);
  const cache = createTokenCache({ maxEntries: maxCachedTokens, now });
  // Loaded with the first verifier: not each process that imports this package verifies tokens.
  const verification = Promise.all([import('./token/read-unverified.ts'), import('./token/verify-token.ts')]);
  const introspect = introspection && introspectionOf(introspection, options, now, closing.signal);

  return {
    find: (token, holder) => cache.find(token, holder),
    async verify(token, sender = unknownSender) {
      const known = cache.find(token);
      if (known !== undefined) {
        return known;
      }
      if (introspect !== undefined && !(hasKeySets && jwsShape.test(token))) {
        return await introspected(token, sender, introspect);
      }
      const [{ readUnverified }] = await verification;
      const unverified = readUnverified(token);
      const sources = sourcesFor(unverified);
      const { claims, key, source } = await verifyWith(sources, token, unverified);
      const { trusted } = source;
      const caller = callerFromClaims(token, claims, {
        fallbackIssuer: String(trusted.jwksUrl),
        tenantClaim: tenantClaimOf(trusted),
        tenantsOf: (issuer) => ('issuer' in trusted ? trusted.tenants : trusted.tenants.get(issuer)),
        policiesClaim: trusted.policiesClaim,
        keptClaims: trusted.keptClaims,
      });
      cache.keep(token, caller, () => source.keys.has(key));
      return caller;
    },
    close() {
      closing.abort();
    },
  };

  async function introspected(
    token: string,
    sender: TokenSender,
    { trusted, claimsOf }: Introspecting,
  ): Promise<Caller> {
    const caller = callerFromClaims(token, await claimsOf(token, sender), {
      fallbackIssuer: trusted.issuer,
      tenantClaim: tenantClaimOf(trusted),
      tenantsOf: () => trusted.tenants,
      policiesClaim: trusted.policiesClaim,
      keptClaims: trusted.keptClaims,
    });
    cache.keep(token, caller, () => true, trusted.cacheMs);
    return caller;
  }

  function sourcesFor({ issuer, algorithm }: UnverifiedToken): readonly KeySource[] {
    const sources = (issuer === undefined ? undefined : issuers.get(issuer)) ?? openSources;
    if (sources.length === 0) {
      throw invalidToken(
        issuer === undefined ? 'The token lacks the claim iss.' : 'The token is not from a trusted issuer.',
      );
    }
    const allowing = sources.filter(({ trusted: { algorithms = usualAlgorithms } }) =>
      algorithms.some((each) => each === algorithm),
    );
    if (allowing.length === 0) {
      throw invalidToken('The token is signed with an algorithm that is not accepted.');
    }
    return allowing;
  }

  /**
   * Tries the sources in turn. One whose keys cannot be fetched, or that has another audience, does not stop the next.
   */
  async function verifyWith(
    sources: readonly KeySource[],
    token: string,
    unverified: UnverifiedToken,
  ): Promise<VerifiedToken & { readonly source: KeySource }> {
    const [, { verifyToken }] = await verification;
    let failure: unknown;
    let hasCandidates = false;
    for (const source of sources) {
      try {
        const candidates = await source.keys.find(unverified);
        hasCandidates ||= candidates.length > 0;
        const verified = await verifyToken(token, candidates, {
          algorithm: unverified.algorithm,
          issuer: unverified.issuer,
          audience: source.trusted.audience,
          requiredClaims: requiredClaimsOf(source.trusted),
          clockToleranceSeconds,
          now,
        });
        if (verified !== undefined) {
          return { ...verified, source };
        }
      } catch (error) {
        failure ??= error;
      }
    }
    throw (
      failure ??
      invalidToken(
        hasCandidates
          ? 'The signature of the token does not verify.'
          : 'The token is not signed with a key of its issuer.',
      )
    );
  }
}

const unknownSender: TokenSender = { peer: undefined };

/** Three parts, as a signed JSON Web Token has them (RFC 7515 §3.1). */
const jwsShape = /^[\w-]+\.[\w-]+\.[\w-]*$/;

interface Introspecting {
  readonly trusted: Introspection;
  readonly claimsOf: ReturnType<typeof createIntrospection>;
}

function introspectionOf(
  trusted: Introspection,
  {
    introspectionPlaces: places,
    fetch = globalThis.fetch,
    clockToleranceSeconds = 30,
    logger,
  }: TokenVerifierOptions,
  now: () => number,
  signal: AbortSignal,
): Introspecting {
  if (places === undefined) {
    throw new TypeError('Cannot create a token verifier: introspection needs a bound');
  }
  const claimsOf = createIntrospection(trusted, places, {
    fetch,
    signal,
    clockToleranceSeconds,
    now,
    onFailure: (error) => {
      if (!signal.aborted) {
        logger?.warn({ endpoint: trusted.endpoint, err: error }, 'tokens cannot be introspected');
      }
    },
  });
  return { trusted, claimsOf };
}

function tenantClaimOf({ tenantClaim = 'tenant_id' }: Pick<TrustedIssuer, 'tenantClaim'>): string | null {
  return tenantClaim;
}

function requiredClaimsOf(trusted: TrustedIssuer | OpenKeySet): readonly string[] {
  const { requiredClaims = ['sub'] } = trusted;
  const tenantClaim = tenantClaimOf(trusted);
  return tenantClaim === null ? requiredClaims : [...requiredClaims, tenantClaim];
}

function keysOf(
  trusted: TrustedIssuer | OpenKeySet,
  { fetch = globalThis.fetch, logger }: TokenVerifierOptions,
  now: () => number,
  signal: AbortSignal,
): IssuerKeys {
  const issuer = 'issuer' in trusted ? trusted.issuer : undefined;
  const url = jwksUrl.parse(String(trusted.jwksUrl), 'development', trusted);
  if (url === undefined) {
    throw new TypeError(
      `Cannot create a token verifier: the JWKS of ${issuer ?? 'any issuer'} is not at ${jwksUrl.takes}`,
    );
  }
  return new IssuerKeys({
    load:
      'isDiscovered' in trusted && trusted.isDiscovered === true
        ? async () => await loadJwks(await discoverJwks(trusted.issuer, { fetch, signal }), { fetch, signal })
        : () => loadJwks(url, { fetch, signal, headers: trusted.headers }),
    refreshAgeMs: trusted.refreshAgeMs,
    now,
    onFailure: (error) => {
      if (!signal.aborted) {
        logger?.warn({ issuer, jwksUrl: url.href, err: error }, 'the keys of an issuer cannot be fetched');
      }
    },
  });
}
