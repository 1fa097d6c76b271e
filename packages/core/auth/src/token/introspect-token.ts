import type { JWTPayload } from 'jose';
import { readJson } from '../jwks/read-json.ts';
import { identityUnavailable, invalidToken } from '../problems.ts';
import type { Introspection } from '../trusted-issuer.ts';

export interface IntrospectTokenOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  readonly clockToleranceSeconds: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called each time that the endpoint has no usable response. */
  readonly onFailure: (error: unknown) => void;
}

/** The sender of a token, by the address of its connection. */
export interface TokenSender {
  readonly peer: string | undefined;
}

/** Bounds the introspections under way: more at a time would only wait for the endpoint. */
export interface IntrospectionPlaces {
  /** Takes a place for a sender with this key; false where it has too many. */
  take(sender: string, amount: 1): boolean;
  release(sender: string, amount: 1): void;
}

/**
 * Creates the introspection of opaque tokens (RFC 7662). One token is asked for once at a time. The places are bounded by
 * sender, so that one that sends made-up tokens keeps out itself alone.
 *
 * The returned function rejects with the problem `invalid-token`, or with `unavailable` while the endpoint has no usable
 * response.
 */
export function createIntrospection(
  trusted: Introspection,
  places: IntrospectionPlaces,
  options: IntrospectTokenOptions,
): (token: string, sender: TokenSender) => Promise<JWTPayload> {
  const underWay = new Map<string, Promise<JWTPayload>>();
  return (token, { peer }) => {
    const known = underWay.get(token);
    if (known !== undefined) {
      return known;
    }
    const sender = networkOf(peer);
    if (!places.take(sender, 1)) {
      return Promise.reject(identityUnavailable(1, new Error('Too many introspections are under way')));
    }
    const introspected = introspect(token, trusted, options).finally(() => {
      underWay.delete(token);
      places.release(sender, 1);
    });
    underWay.set(token, introspected);
    return introspected;
  };
}

/** An address of IPv4; of IPv6 the first 64 bits, because one sender may have all the others. */
function networkOf(peer = ''): string {
  if (!peer.includes(':') || peer.includes('.')) {
    return peer;
  }
  const [first = [], last] = peer.split('::').map((part) => part.split(':'));
  const zeros = last === undefined ? 0 : 8 - first.length - last.length;
  return [...first, ...Array.from({ length: zeros }, () => '0'), ...(last ?? [])].slice(0, 4).join(':');
}

async function introspect(
  token: string,
  trusted: Introspection,
  { fetch, signal, onFailure, ...clock }: IntrospectTokenOptions,
): Promise<JWTPayload> {
  const { endpoint, clientId, clientSecret } = trusted;
  const credentials = [clientId, clientSecret].map(formEncoded).join(':');
  let claims: JWTPayload;
  try {
    claims = await readJson(endpoint, {
      fetch,
      signal,
      init: {
        method: 'POST',
        headers: { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
        body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
      },
    });
    if (typeof claims['active'] !== 'boolean') {
      throw new Error('Cannot introspect a token: the response does not say whether it is active');
    }
  } catch (error) {
    onFailure(error);
    throw identityUnavailable(1, error);
  }
  checkClaims(claims, trusted, clock);
  return claims;
}

/** RFC 6749 §2.3.1 and appendix B. */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

/** @throws {Problem} `invalid-token` */
function checkClaims(
  claims: JWTPayload,
  { issuer, audience, requiredClaims = ['sub'], tenantClaim = 'tenant_id' }: Introspection,
  { clockToleranceSeconds, now }: Pick<IntrospectTokenOptions, 'clockToleranceSeconds' | 'now'>,
): void {
  const { exp, nbf, iss, aud, cnf, token_type: type } = claims;
  const nowSeconds = now() / 1000;
  if (claims['active'] !== true) {
    throw invalidToken('The token is not active.');
  }
  if (typeof exp !== 'number' || exp <= nowSeconds - clockToleranceSeconds) {
    throw invalidToken(typeof exp === 'number' ? 'The token has expired.' : 'The token lacks the claim exp.');
  }
  if (typeof nbf === 'number' && nbf > nowSeconds + clockToleranceSeconds) {
    throw invalidToken('The token is not valid yet.');
  }
  if (iss !== undefined && iss !== issuer) {
    throw invalidToken('The token is not from a trusted issuer.');
  }
  const wanted = audience === undefined ? undefined : [audience].flat();
  const audiences: unknown[] = [aud].flat();
  if (wanted !== undefined && !audiences.some((each) => wanted.some((name) => name === each))) {
    throw invalidToken('The token is for another audience.');
  }
  // A refresh token is active too. It has no type, and mostly no audience.
  const isBearer = typeof type === 'string' ? type.toLowerCase() === 'bearer' : wanted !== undefined;
  if (!isBearer || cnf !== undefined) {
    throw invalidToken('The token is of another type than a bearer access token.');
  }
  const needed = tenantClaim === null ? requiredClaims : [...requiredClaims, tenantClaim];
  const missing = needed.find((name) => claims[name] === undefined);
  if (missing !== undefined) {
    throw invalidToken(`The token lacks the claim ${missing}.`);
  }
}
