import { checked } from '../declaration/checked.ts';
import { optional, required } from '../declaration/key.ts';
import { listOf } from '../declaration/list-of.ts';
import { oneOf } from '../declaration/one-of.ts';
import { section } from '../declaration/section.ts';
import { text } from '../declaration/text.ts';

/** The JWS algorithms that the gateway accepts: `packages/auth`. */
const signingAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

/** Apollo Router's others. A token that has one is rejected here, whatever the file lists. */
const refusedAlgorithms = ['HS256', 'HS384', 'HS512', 'ES384', 'RS384', 'RS512', 'PS384', 'PS512'] as const;

const jwks = section({
  /**
   * The URL of the key set: `https://…`, `file://…`, `http://` to a host of `meridian.authentication.plain_http_hosts`,
   * and in development also `http://` on loopback.
   */
  url: required(
    text({
      pattern: /^(?:https|http|file):\/\/./,
      takes: 'a URL that starts with https://',
      example: 'https://issuer.example/jwks.json',
    }),
  ),
  /** The issuers whose tokens these keys sign. Default: `JWT_ISSUER`, else every issuer. */
  issuers: optional(
    checked(listOf(text()), ({ length }) =>
      length > 0 ? undefined : 'takes at least one; without the key, every issuer is accepted',
    ),
  ),
  /** The accepted audiences. Default: `JWT_AUDIENCE`, else every audience. */
  audiences: optional(
    checked(listOf(text()), ({ length }) =>
      length > 0 ? undefined : 'takes at least one; without the key, every audience is accepted',
    ),
  ),
  /** The algorithms that these keys may sign with, of those that are accepted. Default: all of these. */
  algorithms: optional(
    checked(listOf(oneOf(...signingAlgorithms, ...refusedAlgorithms)), (listed) =>
      signingAlgorithms.some((algorithm) => listed.includes(algorithm))
        ? undefined
        : `takes at least one of ${signingAlgorithms.join(', ')}; no others are accepted`,
    ),
  ),
});

/** Authentication of callers. Without it, every caller is anonymous. */
export const authentication = section({
  router: optional(section({ jwt: required(section({ jwks: required(listOf(jwks)) })) })),
});
