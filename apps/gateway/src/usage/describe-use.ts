import type { FieldUse } from './usage-records.ts';

type Use = Omit<FieldUse, 'field' | 'requests'>;

/** `storefront 1.2 (ProductPage, last on 2026-01-31)` */
export function describeUse({ operation, clientName, clientVersion, lastDay }: Use): string {
  const client = `${clientName} ${clientVersion}`.trim();
  const name = operation === '' ? 'an anonymous operation' : operation;
  return `${client === '' ? 'an unnamed client' : client} (${name}, last on ${lastDay})`;
}
