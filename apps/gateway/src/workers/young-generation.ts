/**
 * Node's option for processes with much garbage: the default costs a gateway up to half of its time.
 * Megabytes.
 */
export const youngGenerationOption = '--max-semi-space-size=64';

/** True for that option of Node's, with any size. */
export function isYoungGenerationOption(argument: string): boolean {
  return argument.startsWith('--max-semi-space-size');
}
