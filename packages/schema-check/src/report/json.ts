import type { CheckReport } from './report.ts';

/** A report for programs: check-report.schema.json describes it. */
export function jsonReport(report: CheckReport): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}
