import { isDeepStrictEqual } from 'node:util';

import type { TokenVerifier, TrustedIssuer } from '@meridian/auth';
import { createTokenVerifier } from '@meridian/auth';
import type { Logger } from '@meridian/telemetry';

/** The token verifiers of a process, of which a configuration takes one. */
export interface Verifiers {
  /** The verifier of these issuers; the one that there is where some configuration had the same, with the keys that it knows. */
  verifierOf(this: void, issuers: readonly TrustedIssuer[]): TokenVerifier;
  close(): void;
}

export function createVerifiers(logger: Pick<Logger, 'warn'>): Verifiers {
  const verifiers: { readonly issuers: readonly TrustedIssuer[]; readonly verifier: TokenVerifier }[] = [];
  return {
    verifierOf(issuers) {
      const known = verifiers.find((each) => isDeepStrictEqual(each.issuers, issuers));
      if (known !== undefined) {
        return known.verifier;
      }
      const verifier = createTokenVerifier({
        issuers,
        onJwksFailure: ({ issuer, error }) =>
          logger.warn({ issuer, err: error }, 'the keys of an issuer cannot be had'),
      });
      verifiers.push({ issuers, verifier });
      return verifier;
    },
    close: () => verifiers.forEach(({ verifier }) => verifier.close()),
  };
}
