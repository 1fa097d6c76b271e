// The media types of an account, and how an account is written in each.
// Spec: Versioning, rule 1.
import { decimalInt64, int64, named, object, text } from '@meridian/json';
import type { Schema } from '@meridian/json';
import type { Available } from '@meridian/rest';

import { accountIdSchema } from './account-id.ts';
import type { Account } from './account.ts';

export interface Representation {
  readonly mediaType: AccountMediaType;
  /** Part of the entity tag; undefined for the default representation. */
  readonly tagScope: string | undefined;
  /** True where what is available of the balance is a part of it. */
  readonly showsHolds: boolean;
  readonly write: (account: Account) => string;
}

export const balanceSchema = int64({
  description: 'The balance in minor currency units.',
  examples: [1250n],
});

export const decimalBalanceSchema = object({
  minor_units: decimalInt64({
    description: 'The balance in minor currency units: a signed 64-bit integer, as decimal digits.',
    examples: ['1250'],
  }),
});

export const accountSchema = named(
  'Account',
  object({ id: accountIdSchema, balance_minor_units: balanceSchema }),
);

const accountV2Schema = named(
  'AccountV2',
  object(
    {
      id: accountIdSchema,
      balance: decimalBalanceSchema,
      available: object(
        {
          minor_units: text({
            pattern: /^(?:0|-?[1-9][0-9]{0,19})$/u,
            description: 'In minor currency units, as decimal digits. It may need 65 bits.',
            examples: ['1250'],
          }),
        },
        { description: 'The balance less what pending holds reserve: what can be transferred or held.' },
      ),
      created_at: text({ format: 'date-time', description: 'In UTC, with microseconds.' }),
    },
    { description: 'An account for clients without 64-bit integers.' },
  ),
);

const v1: Representation = {
  mediaType: 'application/json',
  tagScope: undefined,
  showsHolds: false,
  write: (account) => accountSchema.write(account),
};

const v2: Representation = {
  mediaType: 'application/vnd.meridian.account.v2+json',
  tagScope: 'application/vnd.meridian.account.v2+json',
  showsHolds: true,
  write: ({ id, balance_minor_units: balance, held_minor_units: held, created_at }) =>
    accountV2Schema.write({
      id,
      balance: { minor_units: balance },
      available: { minor_units: String(balance - BigInt(held)) },
      created_at,
    }),
};

/** The media types of an account, the default one first. */
export const accountMediaTypes = [
  'application/json',
  'application/vnd.meridian.account.v1+json',
  'application/vnd.meridian.account.v2+json',
] as const;

export const availableAccount: Available<AccountMediaType> = {
  mediaTypes: accountMediaTypes,
  detail: `An account is available as ${accountMediaTypes.join(', ')}.`,
};

export type AccountMediaType = (typeof accountMediaTypes)[number];

export const accountRepresentations: Readonly<Record<AccountMediaType, Representation>> = {
  'application/json': v1,
  'application/vnd.meridian.account.v1+json': v1,
  'application/vnd.meridian.account.v2+json': v2,
};

/** The representation of an account in each media type. */
export const accountContent: Readonly<Record<AccountMediaType, Schema<unknown>>> = {
  'application/json': accountSchema,
  'application/vnd.meridian.account.v1+json': accountSchema,
  'application/vnd.meridian.account.v2+json': accountV2Schema,
};

/** Each representation once, the default one first. */
export const distinctRepresentations: readonly Representation[] = [v1, v2];
