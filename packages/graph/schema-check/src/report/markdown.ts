import { clientsText, ownersToAsk } from './clients-to-ask.ts';
import type { Section } from './describe.ts';
import { byVerdict, countsLine, detailsOf, errorSections, furtherSections, verdictLine } from './describe.ts';
import type { CheckReport, ReportedChange, ReportedPlan } from './report.ts';

/** Marks the comment of a pull request, so that the next run replaces it. */
const marker = '<!-- meridian-schema-check -->';

/** GitHub takes 65 536 characters in a comment. */
const maxLength = 60_000;

/** A report for a pull request. */
export function markdownReport(report: CheckReport): string {
  const parts = [
    marker,
    `## Schema check: ${verdictLine(report)}`,
    `${report.head} against ${report.base}: ${countsLine(report)}. Known use: ${report.usage.reason}.`,
    ...mentions(report),
    ...errorSections(report).flatMap(errorText),
    ...byVerdict(report).flatMap(([title, changes]) => [`### ${title}`].concat(changeList(changes))),
    ...furtherSections(report).flatMap(sectionText),
    ...report.plans.map(planDetails),
  ];
  let text = '';
  for (const part of parts) {
    if (text.length + part.length > maxLength) {
      return `${text}\n\nThe rest is in the log of the check: it is too long for a comment.\n`;
    }
    text += `${text === '' ? '' : '\n\n'}${part}`;
  }
  return `${text}\n`;
}

/** The only mentions of the comment: owners are names of this repository's own files. */
function mentions(report: CheckReport): readonly string[] {
  const lines = ownersToAsk(report).map((owner) => {
    const mention = isMention.test(owner.owner) ? owner.owner : escaped(owner.owner);
    return `- ${mention}, please look: ${escaped(clientsText(owner))}`;
  });
  return lines.length === 0 ? [] : [lines.join('\n')];
}

const isMention = /^@[\w-]+(?:\/[\w.-]+)?$/u;

function changeList(changes: readonly ReportedChange[]): readonly string[] {
  const { safe = [], others = [] } = Object.groupBy(changes, ({ verdict, level }) =>
    verdict === 'passes' && level === 'safe' ? 'safe' : 'others',
  );
  const items = safe.map(({ message }) => `- ${escaped(message)}`).join('\n');
  return [
    ...others.map(entryText),
    ...(safe.length === 0
      ? []
      : [`<details><summary>${safe.length} safe</summary>\n\n${items}\n\n</details>`]),
  ];
}

function entryText(change: ReportedChange): string {
  const details = detailsOf(change).map(
    ({ text = '', code: ofCode }) => `${escaped(text)}${ofCode === undefined ? '' : code(ofCode)}`,
  );
  return listItem([`**${change.level}** \`${change.kind}\` ${escaped(change.message)}`, ...details]);
}

function sectionText({ title, entries }: Section): readonly string[] {
  return [`### ${title}`, entries.map((lines) => listItem(lines.map(escaped))).join('\n')];
}

/** Queries and lines of schemas keep their indentation. */
function errorText({ title, entries }: Section): readonly string[] {
  const items = entries.map(([line, ...details]) => {
    const lines = details.map((detail) => detail.replaceAll('`', "'"));
    const block = lines.length === 0 ? [] : ['', '```text', ...lines, '```'];
    return [`- ${escaped(line)}`, ...block].join('\n  ');
  });
  return [`### ${title}`, ...items];
}

function listItem([line, ...details]: readonly string[]): string {
  return [`- ${line}`, ...details.map((detail) => `  - ${detail}`)].join('\n');
}

function planDetails({ operation, labels, before, after }: ReportedPlan): string {
  const title = [operation, ...labels].join(', ');
  const drawn = Object.entries({ before, after }).map(([side, plan]) =>
    plan === null
      ? `${side}: it cannot be planned`
      : `${side}: ${plan.fetchCount} fetches in ${plan.roundCount} rounds\n\n\`\`\`mermaid\n${plan.flowchart}\n\`\`\``,
  );
  return `<details><summary>Plan of ${escaped(title)}</summary>\n\n${drawn.join('\n\n')}\n\n</details>`;
}

/** Names and texts of a schema are a stranger's: nothing in them is markup, and nobody is mentioned. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]|~]/gu, String.raw`\$&`)
    .replaceAll('@', '@\u200B');
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}
