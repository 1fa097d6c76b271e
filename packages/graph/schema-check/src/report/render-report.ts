import { printableTexts } from '@meridian/settings/values';

import { githubReport } from './github.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import type { CheckReport } from './report.ts';
import { sarifReport } from './sarif.ts';
import { textReport } from './text.ts';

export const formats = ['text', 'json', 'markdown', 'sarif', 'junit', 'github'] as const;
export type Format = (typeof formats)[number];

const outputs: Readonly<Record<Format, (report: CheckReport) => string>> = {
  text: textReport,
  // check-report.schema.json describes it.
  json: (report) => `${JSON.stringify(report, undefined, 2)}\n`,
  markdown: markdownReport,
  sarif: sarifReport,
  junit: junitReport,
  github: githubReport,
};

/**
 * Renders a report in a format. Its texts come from schemas, manifests and usage files, which a stranger may have
 * written: they are made printable here, for every format. Plans have several lines, of names that were checked when
 * the supergraph was loaded.
 */
export function renderReport(report: CheckReport, format: Format): string {
  return outputs[format]({ ...printableTexts(report), plans: report.plans });
}
