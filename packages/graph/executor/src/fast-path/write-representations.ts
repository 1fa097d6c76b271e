import type { FastPathFetch, FastPathPlan } from './compile-fast-path.ts';
import type { Tape } from './tape/tape.ts';
import { byte } from './tape/tape.ts';
import type { EqualTargets } from './tape/spliced-object.ts';
import { addTarget, createEqualTargets, firstAtPlace, nextAtSamePlace } from './tape/spliced-object.ts';

/** The representations of a fetch, at the end of the tape. */
export interface WrittenRepresentations {
  readonly start: number;
  readonly entityCount: number;
  /** Of the first representation. */
  readonly targets: EqualTargets;
}

/** Writes the representations of a fetch's objects, each different one once; undefined if there are none. */
export function writeRepresentations(
  tape: Tape,
  { placeCount }: Pick<FastPathPlan, 'placeCount'>,
  { number, place, spliceRepresentation }: FastPathFetch,
): WrittenRepresentations | undefined {
  const { equals, end: start } = tape;
  // Up to the number of places, these are the texts of the objects there.
  const scope = placeCount + 1 + number;
  let targets: EqualTargets = 0;
  let last: EqualTargets = 0;
  let entityCount = 0;
  for (let object = firstAtPlace(tape, place); object !== 0; object = nextAtSamePlace(tape, object)) {
    const ownStart = tape.end;
    const written = spliceRepresentation?.(tape, object);
    if (written === undefined) {
      continue;
    }
    const entry = written === 'unique' ? undefined : equals.entryOf(tape.view, scope, ownStart, tape.end);
    const known = entry === undefined ? 0 : equals.valueAt(entry);
    if (known !== 0) {
      addTarget(tape, known, object);
      tape.end = ownStart;
      continue;
    }
    last = createEqualTargets(tape, object, last);
    targets ||= last;
    entityCount += 1;
    if (entry !== undefined) {
      equals.setValueAt(entry, last);
    }
    tape.writeByte(byte.comma);
  }
  if (entityCount === 0) {
    return undefined;
  }
  // There is no comma after the last one.
  tape.end -= 1;
  return { start, entityCount, targets };
}
