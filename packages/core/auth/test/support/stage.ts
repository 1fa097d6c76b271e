import { createTokenVerifier } from '@meridian/auth';
import type { TokenVerifier, TokenVerifierOptions } from '@meridian/auth';
import { startSeconds } from './signer.ts';

/** A verifier that trusts `https://issuer.example`, with its clock and the issuer's JWKS in the test's hands. */
export interface Stage {
  readonly verifier: TokenVerifier;
  /** The published keys; may be replaced. */
  keys: readonly unknown[];
  /** True when requests for the JWKS fail. */
  isDown: boolean;
  /** The URLs of the requests for a JWKS so far. */
  readonly requests: string[];
  readonly advance: (seconds: number) => void;
}

export function createStage(keys: readonly unknown[], options: Partial<TokenVerifierOptions> = {}): Stage {
  let nowMs = startSeconds * 1000;
  const stage: Stage = {
    keys,
    isDown: false,
    requests: [],
    advance: (seconds) => {
      nowMs += seconds * 1000;
    },
    verifier: createTokenVerifier({
      issuers: [
        {
          issuer: 'https://issuer.example',
          audience: 'meridian',
          jwksUrl: 'https://issuer.example/jwks.json',
        },
      ],
      now: () => nowMs,
      async fetch(url) {
        stage.requests.push(new Request(url).url);
        await Promise.resolve();
        if (stage.isDown) {
          throw new TypeError('fetch failed');
        }
        return Response.json({ keys: stage.keys });
      },
      ...options,
    }),
  };
  return stage;
}
