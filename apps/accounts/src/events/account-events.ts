import type { EventSource } from '@meridian/events';

import { accountSchema } from '../accounts/representations.ts';
import { holdSchema } from '../holds/hold.ts';
import { transferSchema } from '../transfers/transfer.ts';

/** The events of this service. Contract: Ledger and events. */
export const accountEvents: EventSource = {
  source: '/accounts',
  types: [
    'account.created',
    'account.updated',
    'transfer.completed',
    'transfer.reversed',
    'hold.created',
    'hold.captured',
    'hold.released',
    'hold.expired',
  ],
  data: [accountSchema, transferSchema, holdSchema],
};
