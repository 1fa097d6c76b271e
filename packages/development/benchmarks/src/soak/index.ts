export { soakAndReport } from './run-soak.ts';
export { readSoakOptions, soakHelp } from './soak-options.ts';
