export { CallError } from './usage-error.ts';
export { CommandError } from './command-error.ts';
export { counted } from './counted.ts';
export { positiveNumber } from './positive-number.ts';
export { readWords, type Flags, type Words } from './read-args.ts';
export { runCommand, type Command } from './run-command.ts';
export { wholeNumber } from './whole-number.ts';
