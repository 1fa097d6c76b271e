import type { Cursor } from '../../run/splice/cursor.ts';
import { byte, expectBytes, giveUp } from '../../run/splice/cursor.ts';
import type { SplicedObject } from '../../run/splice/spliced-object.ts';
import type { ObjectSplicer } from './object-splicer.ts';

/**
 * Reads an answer that has data and nothing else into the objects that it is for: those that share the n-th entity are the n-th
 * of the targets.
 */
export type SpliceAnswer = (
  cursor: Cursor,
  targets: readonly (readonly [SplicedObject, ...SplicedObject[]])[],
) => void;

const dataStart = Buffer.from('{"data":');
const dataEnd = Buffer.from('}');
const entitiesStart = Buffer.from('{"data":{"_entities":[');
const entitiesEnd = Buffer.from(']}}');
const comma = Buffer.from(',');

/** For a fetch of root fields. */
export function createRootSplicer({ readInto }: ObjectSplicer): SpliceAnswer {
  return (cursor, targets) => {
    expectBytes(cursor, dataStart);
    for (const [root] of targets) {
      readInto(cursor, root);
    }
    expectBytes(cursor, dataEnd);
    expectNothing(cursor);
  };
}

/** For a fetch of entities. */
export function createEntitiesSplicer({ readInto, copy }: ObjectSplicer): SpliceAnswer {
  return (cursor, targets) => {
    expectBytes(cursor, entitiesStart);
    for (let index = 0; index < targets.length; index += 1) {
      if (index > 0) {
        expectBytes(cursor, comma);
      }
      const [first, ...others] = targets[index] ?? giveUp();
      readInto(cursor, first);
      for (const other of others) {
        copy(first, other);
      }
    }
    expectBytes(cursor, entitiesEnd);
    expectNothing(cursor);
  };
}

/** Nothing but white space up to the end. RFC 8259 §2. */
function expectNothing({ bytes, position }: Cursor): void {
  for (let index = position; index < bytes.length; index += 1) {
    const next = bytes[index];
    if (next !== byte.space && next !== byte.lineFeed && next !== byte.carriageReturn && next !== byte.tab) {
      giveUp();
    }
  }
}
