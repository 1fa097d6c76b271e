import { isDeepStrictEqual } from 'node:util';

import type { JwksLogger, TokenVerifier } from '@meridian/auth';
import { createTokenVerifier } from '@meridian/auth';
import { createFairLimit } from '@meridian/http';

import type { TrustedKeys } from './issuers.ts';

/** Introspections under way: of all senders, and of one. */
const maxIntrospections = 256;
const maxIntrospectionsOfOne = 128;

/** The token verifiers of a process; a configuration uses one of them. */
export function createVerifiers(logger: JwksLogger) {
  const verifiers: { readonly trusted: TrustedKeys; readonly verifier: TokenVerifier }[] = [];
  return {
    /** The verifier for these key sets: the existing one, with its fetched keys, if a configuration had the same. */
    verifierOf: ({ issuers, openKeySets, introspection }: TrustedKeys): TokenVerifier => {
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
    close: (): void => verifiers.forEach(({ verifier }) => verifier.close()),
  };
}
