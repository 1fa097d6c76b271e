// The members of an account that a client may send, in each media type. Spec: PUT, "Unknown fields are
// rejected".
import { ignored, named, object, optional, transform, text } from '@meridian/json';
import type { ReadableSchema, Schema } from '@meridian/json';

import { accountIdSchema } from './account-id.ts';
import { balanceSchema, decimalBalanceSchema } from './representations.ts';
import type { AccountMediaType } from './representations.ts';

export interface AccountInput {
  readonly id: string | undefined;
  readonly balance_minor_units: bigint;
}

type InputContent = Readonly<Record<AccountMediaType, ReadableSchema<AccountInput>>>;

/** A new account; without an identifier it gets one. */
export const newAccount: InputContent = inputContent('NewAccount', accountIdSchema);

/**
 * The content of a write. A representation can be sent back as it was read: the path alone identifies the
 * account.
 */
export const accountUpdate: InputContent = inputContent(
  'AccountUpdate',
  text({ description: 'Ignored: the path names the account.' }),
);

function inputContent(name: string, id: Schema<string>): InputContent {
  const v1 = named(name, object({ id: optional(id), balance_minor_units: balanceSchema }));
  return {
    'application/json': v1,
    'application/vnd.meridian.account.v1+json': v1,
    'application/vnd.meridian.account.v2+json': named(`${name}V2`, inputV2(id)),
  };
}

function inputV2(id: Schema<string>): ReadableSchema<AccountInput> {
  const members = {
    id: optional(id),
    balance: decimalBalanceSchema,
    available: optional(ignored({ description: 'Ignored: it follows from the balance and the holds.' })),
    created_at: optional(ignored({ description: 'Ignored: the service knows.' })),
  };
  return transform(object(members), ({ id, balance }) => ({ id, balance_minor_units: balance.minor_units }));
}
