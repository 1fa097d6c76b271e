import { checked } from '../value-types/checked.ts';
import { optional, required } from '../value-types/key.ts';
import { listOf } from '../value-types/list-of.ts';
import { section } from '../value-types/section.ts';
import { text } from '../value-types/text.ts';

const jwks = section({
  /**
   * The URL of the key set: `https://…`, `http://` to a host of `meridian.authentication.plain_http_hosts`, and in
   * development also `file://…` or `http://` on loopback.
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
  /** The one accepted audience. Default: `JWT_AUDIENCE`, else `meridian`. */
  audiences: optional(
    checked(listOf(text()), ({ length }) => (length === 1 ? undefined : 'takes exactly one')),
  ),
});

/** Authentication of callers. Without it, every caller is anonymous. */
export const authentication = section({
  router: optional(section({ jwt: required(section({ jwks: required(listOf(jwks)) })) })),
});
