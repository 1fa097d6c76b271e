import type { Schema } from './schema.ts';

/** A member that may be sent, as a client sends back what it has read, and that changes nothing, whatever it holds. */
export function ignored({ description }: { readonly description: string }): Schema<undefined> {
  return { read: () => undefined, write: () => 'null', schema: () => ({ description }) };
}
