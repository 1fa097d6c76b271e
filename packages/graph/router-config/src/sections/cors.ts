import type { ValueOf } from '../declaration/key-type.ts';
import { checked, listOf } from '../declaration/key-type.ts';
import { flag, key, section } from '../declaration/key.ts';
import {
  boolean,
  duration,
  headerValue,
  regularExpression,
  textLike,
  tokenName,
} from '../declaration/value-types.ts';

const names = listOf(tokenName);

/** In the notation of browsers: with a trailing slash it would never match. */
const origin = textLike({
  pattern: /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#*]+|null)$/i,
  takes: 'an origin such as https://app.example, without a path; for any origin, use cors.allow_any_origin',
  example: 'https://app.example',
});

/** The rules for pages of some origins. */
const policy = section({
  origins: key(listOf(origin), { default: [], note: 'The origins, exactly' }),
  match_origins: key(listOf(regularExpression), {
    default: [],
    note: 'The origins, as regular expressions',
  }),
  allow_credentials: key(boolean, { note: 'Lets these pages send credentials. Default: as for all' }),
  allow_headers: key(names, {
    note: 'The header fields that these pages may send. Default: as for all',
  }),
  expose_headers: key(names, {
    note: 'The header fields of the response that these pages may read. Default: as for all',
  }),
  methods: key(names, { note: 'The methods that these pages may use. Default: as for all' }),
  max_age: key(duration, {
    note: 'The time that browsers may cache preflight responses for these pages. Default: as for all',
  }),
  private_network_access: key(
    section({
      access_id: key(headerValue, { note: 'The value of Private-Network-Access-ID' }),
      access_name: key(headerValue, { note: 'The value of Private-Network-Access-Name' }),
    }),
    {
      note: 'Lets these public pages reach a gateway in a private network, where the browser asks for that in its preflight',
    },
  ),
});

/** The pages of other hosts that may read responses. */
export const cors = checked(
  section({
    allow_any_origin: flag('Lets pages of every origin read responses'),
    allow_credentials: flag('Lets pages send credentials'),
    allow_headers: key(names, {
      default: [],
      note: 'The header fields that pages may send. Default: any that they request',
    }),
    expose_headers: key(names, {
      default: [],
      note: 'The header fields of the response that pages may read',
    }),
    methods: key(names, { default: ['GET', 'POST', 'OPTIONS'], note: 'The methods that pages may use' }),
    max_age: key(duration, { note: 'The time that browsers may cache preflight responses' }),
    policies: key(listOf(policy), {
      default: [{ origins: ['https://studio.apollographql.com'] }],
      note: 'Rules for pages of some origins; the first matching policy applies',
    }),
  }),
  ({ allow_any_origin: isAny, allow_credentials: isWithCredentials, ...common }) => {
    const lists = [common, ...common.policies].filter(
      (each) => isWithCredentials || ('allow_credentials' in each && each.allow_credentials === true),
    );
    if (isAny && lists.length > 0) {
      return 'takes allow_credentials only without allow_any_origin';
    }
    const hasStar = lists.some((each) =>
      [each.allow_headers, each.expose_headers, each.methods].some((list) => list?.includes('*')),
    );
    return hasStar ? 'takes * only without allow_credentials' : undefined;
  },
);

export type Cors = ValueOf<typeof cors>;
