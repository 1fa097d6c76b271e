import type { Caller } from '@meridian/auth';

/** The caller of a write, who is recorded with what it enters in the ledger. */
export type Actor = Pick<Caller, 'tenantId' | 'issuer' | 'subject'>;
