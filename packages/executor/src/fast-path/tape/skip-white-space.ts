import { byte } from './byte.ts';
import type { Tape } from './tape.ts';

/** Skips insignificant white space. RFC 8259 §2. */
export function skipWhiteSpace(tape: Tape): void {
  const { bytes } = tape;
  while (isWhiteSpace(bytes[tape.position])) {
    tape.position += 1;
  }
}

export function isWhiteSpace(next: number | undefined): boolean {
  return next === byte.space || next === byte.lineFeed || next === byte.carriageReturn || next === byte.tab;
}
