import type { Schema } from './schema.ts';

/** A member that is accepted and ignored, whatever its value: clients send back what they have read. */
export function ignored({ description }: { readonly description: string }): Schema<undefined> {
  return { read: () => undefined, write: () => 'null', jsonSchema: () => ({ description }) };
}
