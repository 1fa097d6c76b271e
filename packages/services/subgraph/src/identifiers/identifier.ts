import { randomBytes } from 'node:crypto';

/**
 * A new identifier: a UUIDv7 in text form, RFC 9562 §5.7, so that newer identifiers sort after older ones in an index.
 */
export function createIdentifier(nowMs: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  return formatUuid(bytes, 7);
}

/** True for an identifier in the services' format; any other text names nothing. */
export function isIdentifier(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);
}

/** The texts that can be identifiers: a store may pass them to PostgreSQL, which rejects others. */
export function identifiersAmong(texts: readonly string[]): string[] {
  return texts.filter(isIdentifier);
}

/** The text form of a UUID: the bytes, except for the version and the variant, RFC 9562 §4. */
export function formatUuid(bytes: Buffer, version: number): string {
  const uuid = Buffer.from(bytes.subarray(0, 16));
  uuid.writeUInt8((uuid.readUInt8(6) & 0x0f) | (version << 4), 6);
  uuid.writeUInt8((uuid.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = uuid.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
