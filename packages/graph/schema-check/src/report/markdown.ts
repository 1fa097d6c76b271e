import {
  approvalCommand,
  byVerdict,
  countsLine,
  hitLine,
  orderLine,
  orderReasonLine,
  placeLine,
  shortened,
  verdictLine,
} from './describe.ts';
import { clientsText, ownersToAsk } from './clients-to-ask.ts';
import type { CheckReport, ReportedChange, ReportedPlan } from './report.ts';

/** Marks the comment of a pull request, so that the next run replaces it. */
const marker = '<!-- meridian-schema-check -->';

/** GitHub takes 65 536 characters in a comment. */
const maxLength = 60_000;
const maxHits = 10;
const maxClients = 5;
const maxReasons = 5;

/** A report for a pull request. */
export function markdownReport(report: CheckReport): string {
  const parts = [
    marker,
    `## Schema check: ${verdictLine(report)}`,
    `${report.head} against ${report.base}: ${countsLine(report)}. Known use: ${report.usage.reason}.`,
    ...mentions(report),
    ...byVerdict(report).flatMap(([title, changes]) => [`### ${title}`].concat(section(changes))),
    ...orderList(report),
    ...approvalTable(report),
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
  const lines = ownersToAsk(report).map(
    (owner) =>
      `${isMention.test(owner.owner) ? owner.owner : escaped(owner.owner)}, please look: ${escaped(clientsText(owner))}`,
  );
  return lines.length === 0 ? [] : [lines.map((line) => `- ${line}`).join('\n')];
}

const isMention = /^@[\w-]+(?:\/[\w.-]+)?$/u;

function section(changes: readonly ReportedChange[]): readonly string[] {
  const [calm, others] = [true, false].map((isCalm) =>
    changes.filter(({ verdict, level }) => (verdict === 'passes' && level === 'safe') === isCalm),
  );
  return [
    ...(others ?? []).map(entry),
    ...(calm === undefined || calm.length === 0
      ? []
      : [
          `<details><summary>${calm.length} safe</summary>\n\n${calm.map(({ message }) => `- ${escaped(message)}`).join('\n')}\n\n</details>`,
        ]),
  ];
}

function entry({
  level,
  kind,
  message,
  places,
  operations,
  verdict,
  reason,
  advice,
  fingerprint,
}: ReportedChange): string {
  const lines = [
    `**${level}** \`${kind}\` ${escaped(message)}`,
    ...places.map((place) => `  - ${code(placeLine(place))}`),
    ...shortened(
      operations.map((hit) => escaped(hitLine(hit, maxClients))),
      maxHits,
      ' operations',
    ).map((line) => `  - ${line}`),
    ...(verdict === 'passes'
      ? []
      : [`  - ${escaped(reason)}.${advice === null ? '' : ` ${escaped(advice)}`}`]),
    ...(verdict === 'fails' || verdict === 'undecided'
      ? [`  - to approve: ${code(approvalCommand(fingerprint))}`]
      : []),
  ];
  return `- ${lines.join('\n')}`;
}

function orderList({ deployOrder }: CheckReport): readonly string[] {
  const entries = deployOrder.map((order) =>
    [
      `- ${escaped(orderLine(order))}`,
      ...shortened(order.reasons.map(orderReasonLine), maxReasons).map((line) => `  - ${escaped(line)}`),
    ].join('\n'),
  );
  return entries.length === 0 ? [] : ['### Deploy order', entries.join('\n')];
}

function approvalTable({ approvals }: CheckReport): readonly string[] {
  const odd = approvals.filter(({ state }) => state !== 'used');
  return odd.length === 0
    ? []
    : [
        '### Approvals to look at',
        odd
          .map(
            ({ fingerprint, kind, coordinate, owner, expires, state }) =>
              `- ${state}: \`${fingerprint}\` ${kind} ${code(coordinate)} (${escaped(owner)}, until ${expires})`,
          )
          .join('\n'),
      ];
}

function planDetails({ operation, labels, before, after }: ReportedPlan): string {
  const title = [operation, ...labels].join(', ');
  const drawn = (
    [
      ['before', before],
      ['after', after],
    ] as const
  ).map(([title, plan]) =>
    plan === null
      ? `${title}: it cannot be planned`
      : `${title}: ${plan.fetchCount} fetches in ${plan.roundCount} rounds\n\n\`\`\`mermaid\n${plan.flowchart}\n\`\`\``,
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
