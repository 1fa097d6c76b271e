/** Variables with their declared types, defaults put in. */
export type Variables = Readonly<Record<string, unknown>>;
