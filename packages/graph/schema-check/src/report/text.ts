import { styleText } from 'node:util';

import { clientsText, ownersToAsk } from './clients-to-ask.ts';
import type { Section } from './describe.ts';
import { byVerdict, countsLine, detailsOf, errorSections, furtherSections, verdictLine } from './describe.ts';
import type { CheckReport, ReportedChange } from './report.ts';

const colours = {
  security: 'magenta',
  breaking: 'red',
  dangerous: 'yellow',
  lint: 'cyan',
  safe: 'green',
} as const;

/** A report for a terminal. */
export function textReport(report: CheckReport): string {
  const owners = ownersToAsk(report);
  const sections: readonly Section[] = [
    ...errorSections(report),
    ...byVerdict(report).map(([title, changes]) => ({ title, entries: changes.map(entryOf) })),
    ...furtherSections(report),
    ...(owners.length === 0
      ? []
      : [
          {
            title: 'Owners of clients to ask',
            entries: owners.map((one) => [`${one.owner}: ${clientsText(one)}`] as const),
          },
        ]),
  ];
  const parts = [
    `${report.head} against ${report.base}: ${countsLine(report)}`,
    ...sections.map(sectionText),
    styleText('bold', verdictLine(report)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function entryOf(change: ReportedChange): Section['entries'][number] {
  const { level, kind, message } = change;
  return [
    `${styleText(colours[level], level)} ${kind}: ${message}`,
    ...detailsOf(change).map(({ text = '', code = '' }) => text + code),
  ];
}

function sectionText({ title, entries }: Section): string {
  const lines = entries.flatMap(([line, ...details]) => [
    `  ${line}`,
    ...details.map((detail) => `      ${detail}`),
  ]);
  return [styleText('bold', title), ...lines].join('\n');
}
