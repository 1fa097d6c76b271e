export { soakAndReport } from './soak-and-report.ts';
export { readSoakOptions, soakHelp } from './soak-options.ts';
