/**
 * The media types of an account: how each is written and read.
 * Spec: Versioning, rule 1.
 */
import type { ExactJson } from '@meridian/exact-json';

import type { Account } from './account.ts';
import { malformedBody, memberOf, refuseUnknownMembers, int64Of } from '../json-body/body-members.ts';

/** What a client may send of an account; the identifier counts only where the path does not name one. */
export interface AccountInput {
  readonly id: string | undefined;
  readonly balanceMinorUnits: bigint;
}

export interface Representation {
  /** Part of the entity tag; undefined for the default representation. */
  readonly tagScope: string | undefined;
  readonly write: (account: Account) => string;
  /** Throws `malformed-body` for anything but this representation's own shape. */
  readonly read: (body: ReadonlyMap<string, ExactJson>) => AccountInput;
}

const v1: Representation = {
  tagScope: undefined,
  write: ({ id, balanceMinorUnits }) =>
    `{"id":${JSON.stringify(id)},"balance_minor_units":${balanceMinorUnits}}`,
  read(body) {
    refuseUnknownMembers(body, ['id', 'balance_minor_units']);
    return {
      id: optionalId(body),
      balanceMinorUnits: int64Of(memberOf(body, 'balance_minor_units'), 'balance_minor_units'),
    };
  },
};

/** For clients without 64-bit integers: the balance is a decimal string. */
const v2: Representation = {
  tagScope: 'application/vnd.meridian.account.v2+json',
  write: ({ id, balanceMinorUnits, createdAt }) =>
    JSON.stringify({ id, balance: { minor_units: balanceMinorUnits.toString() }, created_at: createdAt }),
  read(body) {
    refuseUnknownMembers(body, ['id', 'balance', 'created_at']);
    const balance = memberOf(body, 'balance');
    if (!(balance instanceof Map)) throw malformedBody('balance is not an object');
    refuseUnknownMembers(balance, ['minor_units'], 'balance.');
    return {
      id: optionalId(body),
      balanceMinorUnits: decimalStringOf(memberOf(balance, 'minor_units', 'balance.')),
    };
  },
};

/** The media types of an account, the default one first. */
export const accountMediaTypes = [
  'application/json',
  'application/vnd.meridian.account.v1+json',
  'application/vnd.meridian.account.v2+json',
] as const;

export type AccountMediaType = (typeof accountMediaTypes)[number];

export const accountRepresentations: Readonly<Record<AccountMediaType, Representation>> = {
  'application/json': v1,
  'application/vnd.meridian.account.v1+json': v1,
  'application/vnd.meridian.account.v2+json': v2,
};

/** Each representation once, the default one first. */
export const distinctRepresentations: readonly Representation[] = [v1, v2];

function optionalId(body: ReadonlyMap<string, ExactJson>): string | undefined {
  const id = body.get('id');
  if (id !== undefined && typeof id !== 'string') throw malformedBody('id is not a string');
  return id;
}

function decimalStringOf(value: ExactJson): bigint {
  if (typeof value !== 'string' || !/^(?:0|-?[1-9][0-9]{0,18})$/.test(value)) {
    throw malformedBody('balance.minor_units is not a string with a decimal integer');
  }
  return int64Of(BigInt(value), 'balance.minor_units');
}
