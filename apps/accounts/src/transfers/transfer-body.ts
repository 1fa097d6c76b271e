import type { ExactJson } from '@meridian/exact-json';

import { int64Of, malformedBody, memberOf, refuseUnknownMembers } from '../json-body/body-members.ts';

/** What a client sends of a transfer. */
export interface TransferInput {
  readonly toAccountId: string;
  /** From 1 to 2^63-1. */
  readonly amountMinorUnits: bigint;
  readonly reference: string | null;
}

const longestReference = 255;

/** Throws `malformed-body` for anything but a transfer's shape. */
export function parseTransfer(body: ReadonlyMap<string, ExactJson>): TransferInput {
  refuseUnknownMembers(body, ['to_account_id', 'amount_minor_units', 'reference']);
  const toAccountId = memberOf(body, 'to_account_id');
  if (typeof toAccountId !== 'string') throw malformedBody('to_account_id is not a string');
  const amountMinorUnits = int64Of(memberOf(body, 'amount_minor_units'), 'amount_minor_units');
  if (amountMinorUnits < 1n) throw malformedBody('amount_minor_units is not above 0');
  return { toAccountId, amountMinorUnits, reference: referenceOf(body.get('reference') ?? null) };
}

function referenceOf(value: ExactJson): string | null {
  if (value === null) return null;
  // PostgreSQL's text has no U+0000, and nobody means any other control character.
  if (typeof value !== 'string' || value.length > longestReference || /\p{Cc}/u.test(value)) {
    throw malformedBody(`reference is not a string of at most ${longestReference} printable characters`);
  }
  return value;
}
