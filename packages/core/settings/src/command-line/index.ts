export { alignColumns } from './align-columns.ts';
export { UsageError } from './usage-error.ts';
export { CommandError } from './command-error.ts';
export { counted } from './counted.ts';
export { flagValue } from './flag-value.ts';
export { runGit, tryGit } from './git.ts';
export { readArgs, type Flags, type ParsedArgs } from './read-args.ts';
export { runCommand, type Command } from './run-command.ts';
export { integer, positiveInteger, positiveNumber } from '../values/index.ts';
