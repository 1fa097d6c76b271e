import process from 'node:process';

/** One in so many generated cases is run. */
const step = process.env['CI'] === 'true' ? 1 : 4;

/** The number of generated cases of a test: all in CI, the first quarter elsewhere. */
export function caseCount(all: number): number {
  return Math.ceil(all / step);
}

/** The cases of a test that are not equally hard: all in CI, each fourth elsewhere. */
export function casesOf<Case>(all: Iterable<Case>): readonly Case[] {
  return [...all].filter((_case, index) => index % step === 0);
}
