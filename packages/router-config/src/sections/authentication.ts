import { checked } from '../value-types/checked.ts';
import { optional, required } from '../value-types/key.ts';
import { listOf } from '../value-types/list-of.ts';
import { section } from '../value-types/section.ts';
import { text } from '../value-types/text.ts';

const jwks = section({
  /**
   * Where the key set is: `https://…`, `http://` to a host of `meridian.authentication.plain_http_hosts`, and in development also
   * `file://…` or `http://` on loopback.
   */
  url: required(
    text({
      pattern: /^(?:https|http|file):\/\/./,
      takes: 'a URL that starts with https://',
      example: 'https://issuer.example/jwks.json',
    }),
  ),
  /** The issuers whose tokens these keys sign; where absent, `JWT_ISSUER`, and every issuer where that is not set either. */
  issuers: optional(
    checked(listOf(text()), ({ length }) =>
      length > 0 ? undefined : 'takes at least one; where the key is absent, every issuer is taken',
    ),
  ),
  /** The one audience that a token may be for; where absent, `JWT_AUDIENCE`, or `meridian`. */
  audiences: optional(
    checked(listOf(text()), ({ length }) => (length === 1 ? undefined : 'takes exactly one')),
  ),
});

/** Authentication of callers. Without it, every caller is anonymous. */
export const authentication = section({
  router: optional(section({ jwt: required(section({ jwks: required(listOf(jwks)) })) })),
});
