import type { Tape } from '../tape/tape.ts';
import { byte } from '../tape/tape.ts';
import type { EqualTargets } from '../tape/spliced-object.ts';
import {
  firstOf,
  firstOther,
  nextEqualTargets,
  nextOther,
  noteMissing,
  otherAt,
} from '../tape/spliced-object.ts';
import { expectText, skipWhiteSpace } from '../tape/tokens.ts';
import { bailOut } from '../tape/fast-path-bailout.ts';
import { fixedText } from '../tape/fixed-text.ts';
import { skipNull } from '../tape/skip-value.ts';
import type { ObjectSplicer } from './object-splicer.ts';

/**
 * Reads a response that has only data into its objects.
 *
 * @param targets the objects of the first entity; the n-th next to them belong to the n-th entity after it
 */
export type SpliceResponse = (tape: Tape, targets: EqualTargets) => void;

const dataStart = fixedText('{"data":');
const dataEnd = fixedText('}');
const entitiesStart = fixedText('{"data":{"_entities":[');
const entitiesEnd = fixedText(']}}');
const comma = fixedText(',');

/** For a fetch of root fields. */
export function createRootSplicer({ readInto }: ObjectSplicer): SpliceResponse {
  return (tape, targets) => {
    expectText(tape, dataStart);
    readInto(tape, firstOf(tape, targets));
    expectText(tape, dataEnd);
    expectNothing(tape);
  };
}

/** For a fetch of entities. */
export function createEntitiesSplicer({ readInto, copy }: ObjectSplicer): SpliceResponse {
  return (tape, firstTargets) => {
    expectText(tape, entitiesStart);
    for (let targets = firstTargets; targets !== 0; targets = nextEqualTargets(tape, targets)) {
      if (targets !== firstTargets) {
        expectText(tape, comma);
      }
      const first = firstOf(tape, targets);
      const isThere = tape.bytes[tape.position] !== byte.n;
      if (isThere) {
        readInto(tape, first);
      } else {
        skipNull(tape);
        noteMissing(tape, first);
      }
      for (let cell = firstOther(tape, targets); cell !== 0; cell = nextOther(tape, cell)) {
        const other = otherAt(tape, cell);
        if (isThere) {
          copy(tape, first, other);
        } else {
          noteMissing(tape, other);
        }
      }
    }
    expectText(tape, entitiesEnd);
    expectNothing(tape);
  };
}

/**
 * Accepts only white space up to the end of the input, which is marked by a byte that no response contains.
 * RFC 8259 §2.
 */
function expectNothing(tape: Tape): void {
  skipWhiteSpace(tape);
  if (tape.position !== tape.responseEnd) {
    bailOut();
  }
}
