import type { SeededRandom } from './seeded-random.ts';

/**
 * An identifier in the text form of a UUIDv7 (RFC 9562 §5.7), whose 74 random bits come from the seed.
 *
 * @param timeMs the time of creation, in milliseconds since 1970
 */
export function demoIdentifier(timeMs: number, random: SeededRandom): string {
  const time = timeMs.toString(16).padStart(12, '0');
  const randomA = hex(random, 3);
  const variant = (8 + random.integer(0, 3)).toString(16);
  const randomB = hex(random, 15);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomA}-${variant}${randomB.slice(0, 3)}-${randomB.slice(3)}`;
}

function hex(random: SeededRandom, digits: number): string {
  return Array.from({ length: digits }, () => random.integer(0, 15).toString(16)).join('');
}

/** The instant from which demo times count: fixed, so that the data is the same whenever it is made. */
const demoEpochMs = Date.UTC(2026, 0, 1);

/** The time this many minutes after the demo data's first instant, in milliseconds since 1970. */
export function demoTimeMs(minutes: number): number {
  return demoEpochMs + minutes * 60_000;
}
