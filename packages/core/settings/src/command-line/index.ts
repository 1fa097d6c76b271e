export { alignColumns } from './align-columns.ts';
export { UsageError, CommandError, runCommand, type Command } from './run-command.ts';
export { counted } from './counted.ts';
export { flagValue, noFlags, readArgs, type Flags, type ParsedArgs } from './read-args.ts';
export { runGit, tryGit } from './git.ts';
export { integer, positiveInteger, positiveNumber } from '../values/index.ts';
