import process from 'node:process';

/** The number of generated cases of a test: all in CI, the first quarter elsewhere. */
export function caseCount(all: number): number {
  return process.env['CI'] === 'true' ? all : Math.ceil(all / 4);
}
