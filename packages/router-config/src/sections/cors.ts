import { boolean } from '../declaration/boolean.ts';
import { checked } from '../declaration/checked.ts';
import { duration } from '../declaration/duration.ts';
import { token } from '../declaration/header-name.ts';
import { defaulting, optional } from '../declaration/key.ts';
import type { ValueOf } from '../declaration/value-type.ts';
import { listOf } from '../declaration/list-of.ts';
import { pattern } from '../declaration/pattern.ts';
import { section } from '../declaration/section.ts';
import { text } from '../declaration/text.ts';

const names = listOf(text({ pattern: token, takes: 'a name without spaces', example: 'x-name' }));

/** In the notation of browsers: with a trailing slash it would never match. */
const origin = text({
  pattern: /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#*]+|null)$/i,
  takes: 'an origin such as https://app.example, without a path; for any origin, use cors.allow_any_origin',
  example: 'https://app.example',
});

/** The rules for pages of some origins. Default of each member: the rule for all origins. */
const policy = section({
  origins: defaulting(listOf(origin), []),
  /** Regular expressions, tried after `origins`. */
  match_origins: defaulting(listOf(pattern), []),
  allow_credentials: optional(boolean),
  allow_headers: optional(names),
  expose_headers: optional(names),
  methods: optional(names),
  max_age: optional(duration),
});

/** The pages of other hosts that may read responses. */
export const cors = checked(
  section({
    allow_any_origin: defaulting(boolean, false),
    /** True when pages may send cookies and other credentials. */
    allow_credentials: defaulting(boolean, false),
    /** The header fields that pages may send. Empty: any that they request. */
    allow_headers: defaulting(names, []),
    /** The header fields of responses that pages may read, in addition to those that they always may. */
    expose_headers: defaulting(names, []),
    methods: defaulting(names, ['GET', 'POST', 'OPTIONS']),
    /** The time that a browser may cache a preflight response. */
    max_age: optional(duration),
    /** The first matching policy applies; an origin without one may read nothing. */
    policies: defaulting(listOf(policy), [{ origins: ['https://studio.apollographql.com'] }]),
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
