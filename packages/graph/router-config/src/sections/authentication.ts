import { checked, listOf } from '../declaration/key-type.ts';
import { key, section } from '../declaration/key.ts';
import { oneOf, text, textLike } from '../declaration/value-types.ts';

/** The JWS algorithms that the gateway accepts: `packages/core/auth`. */
const accepted = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

/** Apollo Router's others. A token that has one is rejected here, whatever the file lists. */
const rejected = ['HS256', 'HS384', 'HS512', 'ES384', 'RS384', 'RS512', 'PS384', 'PS512'] as const;

const keySetUrl = textLike({
  pattern: /^(?:https|http|file):\/\/./,
  takes: 'a URL that starts with https://',
  example: 'https://issuer.example/jwks.json',
});

const jwks = section({
  url: key(keySetUrl, {
    required: true,
    note: 'The URL of a key set: https://, file://, http:// to a host in meridian.authentication.plain_http_hosts, and in development also http:// on loopback',
  }),
  issuers: key(atLeastOne('issuer'), {
    note: 'The issuers whose tokens these keys sign. Default: JWT_ISSUER, else every issuer, and tokens without one',
    formerly: [['issuer', (value) => [value]]],
  }),
  audiences: key(atLeastOne('audience'), {
    note: 'The accepted audiences: a token needs one of them. Default: JWT_AUDIENCE, else every audience',
  }),
  algorithms: key(
    checked(listOf(oneOf(...accepted, ...rejected)), (listed) =>
      accepted.some((algorithm) => listed.includes(algorithm))
        ? undefined
        : `takes at least one of ${accepted.join(', ')}; no others are accepted`,
    ),
    {
      note: 'The algorithms that these keys may sign with. Default: RS256, PS256, ES256 and EdDSA; no others are accepted',
    },
  ),
});

function atLeastOne(name: string) {
  return checked(listOf(text), ({ length }) =>
    length > 0 ? undefined : `takes at least one; without the key, every ${name} is accepted`,
  );
}

/** Authentication of callers. Without it, every caller is anonymous. */
export const authentication = section({
  router: key(
    section({
      jwt: key(
        section({
          jwks: key(listOf(jwks), { required: true, note: 'The key sets whose tokens are accepted' }),
        }),
        { required: true, formerly: ['authentication.jwt'] },
      ),
    }),
    { paid: true },
  ),
});
