import { createHmac, createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** The identity of an entity tag: one state of one resource, in one of its media types. */
export interface Representation {
  readonly tenantId: string;
  readonly identifier: string;
  readonly revision: bigint;
  /**
   * The random value of the database, which a restore renews: a revision number that is used again then gets another
   * tag.
   */
  readonly storeEpoch: string;
  /** Absent for the default representation. */
  readonly mediaType?: string | undefined;
}

/** Makes strong validators and compares them with a request's validators (RFC 9110 §8.8.3). */
export interface EntityTags {
  /** The representation's entity tag, double quotes included, made with the current key. */
  of(representation: Representation): string;
  /**
   * True when `If-Match` names the representation, with a tag made by the current key or an earlier one (RFC 9110
   * §13.1.1).
   */
  matchesIfMatch(header: string, representation: Representation): boolean;
}

const tagBytes = 16;
const lengthPrefixBytes = 4;
/** Of a UTF-16 code unit, as UTF-8. */
const longestCharacterBytes = 3;

/**
 * Creates the entity tags of one service from its keys: the first key makes tags, and the others made tags that clients
 * may still have. A tag is compared as one exact string, so a list, `*` and `W/…` match nothing. A client then gets 412
 * where RFC 9110 would allow the write, and 200 where it would allow 304: no update is ever lost.
 *
 * @throws {RangeError} when there is no key or an empty one
 */
export function createEntityTags({ keys }: { readonly keys: readonly string[] }): EntityTags {
  const [currentKey, ...earlierKeys] = keys.map(secretKeyOf);
  if (currentKey === undefined) {
    throw new RangeError('Cannot create entity tags: the list of keys is empty');
  }

  const of = (representation: Representation) => tagOf(representation, currentKey);
  return {
    of,
    matchesIfMatch: (header, representation) =>
      header === of(representation) || earlierKeys.some((key) => header === tagOf(representation, key)),
  };
}

function secretKeyOf(key: string): KeyObject {
  if (key === '') {
    throw new RangeError('Cannot create entity tags: a key is empty');
  }
  return createSecretKey(key, 'utf8');
}

/** The length precedes each field, so that different representations never have the same bytes. */
function tagOf(representation: Representation, key: KeyObject): string {
  const { tenantId, identifier, revision, storeEpoch, mediaType } = representation;
  const fields = [tenantId, identifier, String(revision), storeEpoch];
  if (mediaType !== undefined) {
    fields.push(mediaType);
  }

  const digest = createHmac('sha256', key).update(lengthPrefixed(fields)).digest();
  return `"${digest.toString('base64url', 0, tagBytes)}"`;
}

function lengthPrefixed(fields: readonly string[]): Buffer {
  const longest = fields.reduce(
    (sum, { length }) => sum + lengthPrefixBytes + length * longestCharacterBytes,
    0,
  );
  const bytes = Buffer.allocUnsafe(longest);
  let end = 0;
  for (const field of fields) {
    const written = bytes.write(field, end + lengthPrefixBytes);
    end = bytes.writeUInt32BE(written, end) + written;
  }
  return bytes.subarray(0, end);
}
