import process from 'node:process';
import { setFlagsFromString } from 'node:v8';

/**
 * Node's option for processes with much garbage: the default costs a gateway up to half of its time.
 * Megabytes.
 */
export const youngGenerationOption = '--max-semi-space-size=32';

/** True for that option of Node's, with any size. */
export function isYoungGenerationOption(argument: string): boolean {
  return argument.startsWith('--max-semi-space-size');
}

/** In MB; V8 collects when new buffers take four times as much. */
const newBuffersOption = '--scavenger-max-new-space-capacity-mb=4';
/** Other versions may not know the option, and would print an error. */
const knowingV8 = /^13\./;

/**
 * Makes V8 collect the young generation once new buffers take 16 MB. By default it would do so at 128 MB, and at 64 MB
 * it collects the whole heap for them: with large responses, that is every second collection.
 */
export function collectBuffersEarly(): void {
  if (knowingV8.test(process.versions.v8)) {
    setFlagsFromString(newBuffersOption);
  }
}
