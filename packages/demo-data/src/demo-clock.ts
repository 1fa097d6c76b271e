/** The instant from which demo times count: fixed, so that the data is the same whenever it is made. */
const demoEpochMs = Date.UTC(2026, 0, 1);

/** The time this many minutes after the demo data's first instant, in milliseconds since 1970. */
export function demoTimeMs(minutes: number): number {
  return demoEpochMs + minutes * 60_000;
}
