import { positiveInteger } from '@meridian/settings/values';

import { queryParameter } from './query-parameter.ts';

export const defaultLimit = 50;
export const maxLimit = 100;

/** The size of a page of a collection. Contract: Resource API. */
export const limitParameter = queryParameter('limit', {
  description: `How many items the page has at most; more than ${maxLimit} counts as ${maxLimit}.`,
  type: {
    ...positiveInteger,
    parse: (digits) => (/^0*[1-9][0-9]*$/.test(digits) ? Math.min(Number(digits), maxLimit) : undefined),
  },
  annotations: { default: defaultLimit },
});
