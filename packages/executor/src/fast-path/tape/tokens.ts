import { bailOut } from './fast-path-bailout.ts';
import type { Tape } from './tape.ts';

/** Moves over these bytes. */
export function expectBytes(tape: Tape, expected: Uint8Array): void {
  if (!startsWith(tape, expected)) {
    bailOut();
  }
  tape.position += expected.length;
}

/** True when these bytes are next. */
export function startsWith({ bytes, position }: Tape, expected: Uint8Array): boolean {
  const { length } = expected;
  for (let index = 0; index < length; index += 1) {
    if (bytes[position + index] !== expected[index]) {
      return false;
    }
  }
  return true;
}
