import { isDeepStrictEqual } from 'node:util';

import type { JwksLogger, TokenVerifier } from '@meridian/auth';
import { createTokenVerifier } from '@meridian/auth';
import { createFairLimit } from '@meridian/http';

import type { TrustedKeys } from './issuers.ts';

/** The token verifiers of a process; a configuration uses one of them. */
export interface Verifiers {
  /** The verifier for these key sets: the existing one, with its fetched keys, if a configuration had the same. */
  verifierOf(this: void, trusted: TrustedKeys): TokenVerifier;
  close(): void;
}

/** Introspections under way: of all senders, and of one. */
const maxIntrospections = 256;
const maxIntrospectionsOfOne = 128;

export function createVerifiers(logger: JwksLogger): Verifiers {
  const verifiers: { readonly trusted: TrustedKeys; readonly verifier: TokenVerifier }[] = [];
  return {
    verifierOf({ issuers, openKeySets, introspection }) {
      const trusted = { issuers, openKeySets, introspection };
      const known = verifiers.find((each) => isDeepStrictEqual(each.trusted, trusted));
      if (known !== undefined) {
        return known.verifier;
      }
      const verifier = createTokenVerifier({
        ...trusted,
        introspectionPlaces: createFairLimit(maxIntrospections, maxIntrospectionsOfOne),
        logger,
      });
      verifiers.push({ trusted, verifier });
      return verifier;
    },
    close: () => verifiers.forEach(({ verifier }) => verifier.close()),
  };
}
