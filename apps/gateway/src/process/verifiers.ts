import { isDeepStrictEqual } from 'node:util';

import type { JwksLogger, TokenVerifier } from '@meridian/auth';
import { createTokenVerifier } from '@meridian/auth';
import type { TrustedKeys } from '../config/issuers.ts';

/** The token verifiers of a process, of which a configuration takes one. */
export interface Verifiers {
  /** The verifier of tokens by these keys: the existing one, with the keys that it knows, where a configuration had the same. */
  verifierOf(this: void, trusted: TrustedKeys): TokenVerifier;
  close(): void;
}

export function createVerifiers(logger: JwksLogger): Verifiers {
  const verifiers: { readonly trusted: TrustedKeys; readonly verifier: TokenVerifier }[] = [];
  return {
    verifierOf({ issuers, openKeySets }) {
      const trusted = { issuers, openKeySets };
      const known = verifiers.find((each) => isDeepStrictEqual(each.trusted, trusted));
      if (known !== undefined) {
        return known.verifier;
      }
      const verifier = createTokenVerifier({ ...trusted, logger });
      verifiers.push({ trusted, verifier });
      return verifier;
    },
    close: () => verifiers.forEach(({ verifier }) => verifier.close()),
  };
}
