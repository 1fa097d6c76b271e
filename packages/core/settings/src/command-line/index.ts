export { alignColumns } from './align-columns.ts';
export { UsageError } from './usage-error.ts';
export { CommandError, runCommand, type Command } from './run-command.ts';
export { counted } from './counted.ts';
export { flagValue } from './flag-value.ts';
export { runGit, tryGit } from './git.ts';
export { readArgs, type Flags, type ParsedArgs } from './read-args.ts';
export { integer, positiveInteger, positiveNumber } from '../values/index.ts';
