import { counted } from '@meridian/command-line';

import type { FieldUse } from './usage-records.ts';

type Use = Omit<FieldUse, 'field' | 'requests'>;

/** The users that are named in a message. */
const shownUses = 5;

/** `12 requests in 90 days, by storefront 1.2 (ProductPage, last on 2026-01-31) and 3 more` */
export function describeUses(uses: readonly (Use & Pick<FieldUse, 'requests'>)[], days: number): string {
  const requests = uses.reduce((sum, use) => sum + use.requests, 0);
  const shown = uses.slice(0, shownUses).map(describeUse).join(', ');
  const more = uses.length > shownUses ? ` and ${uses.length - shownUses} more` : '';
  return `${counted(requests, 'request')} in ${counted(days, 'day')}, by ${shown}${more}`;
}

/** `storefront 1.2 (ProductPage, last on 2026-01-31)` */
export function describeUse({ operation, clientName, clientVersion, lastDay }: Use): string {
  const client = `${clientName} ${clientVersion}`.trim();
  const name = operation === '' ? 'an anonymous operation' : operation;
  return `${client === '' ? 'an unnamed client' : client} (${name}, last on ${lastDay})`;
}
