import type { KeyType, ValueOf } from '../declaration/key-type.ts';
import { checked, listOf, mapOf } from '../declaration/key-type.ts';
import { flag, key, oneKeyOf, optionalSection, section } from '../declaration/key.ts';
import { duration, headerName, headerValue, oneOf, text, textLike } from '../declaration/value-types.ts';

/** The JWS algorithms of Apollo Router: `packages/core/auth` has the same. */
const algorithm = oneOf(
  'RS256',
  'PS256',
  'ES256',
  'EdDSA',
  'HS256',
  'HS384',
  'HS512',
  'ES384',
  'RS384',
  'RS512',
  'PS384',
  'PS512',
);

const keySetUrl = textLike({
  pattern: /^(?:https|http|file):\/\/./,
  takes: 'a URL that starts with https://',
  example: 'https://issuer.example/jwks.json',
});

const sentField = section({
  name: key(headerName, { required: true, note: 'The name of the header field' }),
  value: key(headerValue, { required: true, note: 'Its value' }),
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
  audiences: key(inOneText(atLeastOne('audience')), {
    note: 'The accepted audiences, as a list or separated by `;`: a token needs one of them. Default: JWT_AUDIENCE, else every audience',
  }),
  algorithms: key(
    checked(listOf(algorithm), ({ length }) => (length > 0 ? undefined : 'takes at least one')),
    {
      note: 'The algorithms that these keys may sign with. Default: RS256, PS256, ES256 and EdDSA. HS256, HS384 and HS512 take a secret, as a key of the type `oct` in a set at file://',
    },
  ),
  poll_interval: key(duration, {
    default: '60s',
    note: 'The age at which keys in use are fetched again, at most 12 hours. They are fetched when the first token needs them, and when a token names an unknown key',
  }),
  headers: key(listOf(sentField), {
    default: [],
    note: 'Header fields of the requests for the key set, such as an API key',
  }),
});

function atLeastOne(name: string) {
  return checked(listOf(text), ({ length }) =>
    length > 0 ? undefined : `takes at least one; without the key, every ${name} is accepted`,
  );
}

/** A list that may also be one text, with `;` between its items. */
function inOneText(list: KeyType<readonly string[]>): KeyType<readonly string[]> {
  return {
    read: (value, at) => {
      const items = typeof value === 'string' ? value.split(';').map((item) => item.trim()) : value;
      return list.read(items, at);
    },
    schema: { anyOf: [list.schema, { type: 'string' }] },
  };
}

const prefix = textLike({ pattern: /^\S*$/, takes: 'a text without spaces', example: 'Bearer' });

const source = checked(
  section({
    type: key(oneOf('header', 'cookie'), { required: true, note: 'The kind of source' }),
    name: key(headerName, {
      note: 'The name of the header field, by default `authorization`, or of the cookie',
    }),
    value_prefix: key(prefix, {
      note: 'The word before the token in the header field, which may be empty. Default: `Bearer`',
    }),
  }),
  ({ type, name, value_prefix: word }) => {
    if (type === 'header') {
      return undefined;
    }
    return name === undefined || word !== undefined
      ? 'takes for a cookie its name, and no value_prefix'
      : undefined;
  },
);

/** A place of a request that may hold its token. */
export type TokenSourceRule = ValueOf<typeof source>;

const assumedRole = section({
  role_arn: key(text, { required: true, note: 'The role' }),
  session_name: key(text, { required: true, note: 'The name of its session' }),
  external_id: key(text, { note: 'The external ID that the role asks for' }),
});

const signedService = {
  region: key(text, { required: true, note: 'The region of the service' }),
  service_name: key(text, {
    required: true,
    note: 'The name of the service, such as lambda, appsync, execute-api or vpc-lattice-svcs',
  }),
  assume_role: key(assumedRole, { note: 'A role whose temporary credentials sign' }),
};

const sigV4 = oneKeyOf({
  hardcoded: optionalSection({
    access_key_id: key(text, { required: true, note: 'The ID of the access key' }),
    secret_access_key: key(text, {
      required: true,
      note: 'Its secret, such as `${env.AWS_SECRET_ACCESS_KEY}`',
    }),
    ...signedService,
  }),
  default_chain: optionalSection({
    profile_name: key(text, {
      note: 'The profile in AWS’s configuration files. Default: AWS_PROFILE, else `default`',
    }),
    ...signedService,
  }),
});

/** The credentials, and the service, for signing the requests to a subgraph. */
export type SigV4 = ValueOf<typeof sigV4>;

const signature = section({
  aws_sig_v4: key(sigV4, {
    required: true,
    note: 'Signs requests by AWS Signature Version 4. Authorization of the client is replaced. Requests that open subscriptions are not signed',
  }),
});

/** Authentication of callers, without which every caller is anonymous, and of the gateway to subgraphs. */
export const authentication = section({
  subgraph: optionalSection({
    all: key(signature, { note: 'The signature for all subgraphs' }),
    subgraphs: key(mapOf(signature), {
      default: {},
      note: 'The signature for one subgraph, instead of the one for all',
    }),
  }),
  router: key(
    section({
      jwt: key(
        section({
          jwks: key(listOf(jwks), { required: true, note: 'The key sets whose tokens are accepted' }),
          header_name: key(headerName, {
            default: 'authorization',
            note: 'The header field with the token',
          }),
          header_value_prefix: key(prefix, {
            default: 'Bearer',
            note: 'The word before the token, in any case; empty for none',
          }),
          ignore_other_prefixes: flag(
            'Treats a header field with another prefix as absent, instead of rejecting the request',
          ),
          sources: key(listOf(source), {
            default: [],
            note: 'Other places of the token, tried in order after the header field. A token in a cookie counts only for requests that no foreign page can make a browser send, whatever csrf.unsafe_disabled says',
          }),
          on_error: key(oneOf('Error', 'Continue', 'error', 'continue'), {
            default: 'Error',
            note: 'What happens to a request with an invalid token: it is rejected, or it continues as anonymous. Router 3 has the words in lower case. While the validity of tokens is unknown, because a key set cannot be fetched, it is rejected with 503 in both cases',
          }),
        }),
        { required: true, formerly: ['authentication.jwt'] },
      ),
    }),
    { paid: true },
  ),
});
