export { type CheckInput, checkGraphs } from './check-graphs.ts';
export type { CheckReport, ReportedChange } from './report/report.ts';
export { type Rules, defaultRules, readRules } from './rules/rules.ts';
export { type RecordedUsage, readUsageFile } from './read/usage-file.ts';
