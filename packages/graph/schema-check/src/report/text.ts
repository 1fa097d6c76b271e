import { styleText } from 'node:util';

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
import type { CheckReport, ReportedChange } from './report.ts';

const maxHits = 8;
const maxClients = 4;
const maxReasons = 4;

const colours = {
  security: 'magenta',
  breaking: 'red',
  dangerous: 'yellow',
  lint: 'cyan',
  safe: 'green',
} as const;

/** A report for a terminal. */
export function textReport(report: CheckReport): string {
  const groups = byVerdict(report).map(([title, changes]) =>
    [styleText('bold', title), ...changes.map(paragraph)].join('\n'),
  );
  return [
    `${report.head} against ${report.base}: ${countsLine(report)}`,
    ...groups,
    ...orderLines(report),
    ...approvalLines(report),
    ...ownerLines(report),
    styleText('bold', verdictLine(report)),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

function orderLines({ deployOrder }: CheckReport): readonly string[] {
  const lines = deployOrder.flatMap((order) => [
    `  ${orderLine(order)}`,
    ...shortened(order.reasons.map(orderReasonLine), maxReasons).map((line) => `      ${line}`),
  ]);
  return lines.length === 0 ? [] : [[styleText('bold', 'Deploy order'), ...lines].join('\n')];
}

function approvalLines({ approvals }: CheckReport): readonly string[] {
  const odd = approvals.filter(({ state }) => state !== 'used');
  return odd.length === 0
    ? []
    : [
        [
          styleText('bold', 'Approvals to look at (schema-approvals.yaml)'),
          ...odd.map(
            ({ fingerprint, kind, coordinate, owner, expires, state }) =>
              `  ${state}: ${fingerprint} ${kind} ${coordinate} (${owner}, until ${expires})`,
          ),
        ].join('\n'),
      ];
}

function ownerLines(report: CheckReport): readonly string[] {
  const lines = ownersToAsk(report).map((one) => `  ${one.owner}: ${clientsText(one)}`);
  return lines.length === 0 ? [] : [[styleText('bold', 'Owners of clients to ask'), ...lines].join('\n')];
}

function paragraph(change: ReportedChange): string {
  const { level, kind, message, places, operations, verdict, reason, advice, fingerprint } = change;
  const isCalm = verdict === 'passes';
  const hits = operations.map((hit) => hitLine(hit, maxClients));
  const lines = [
    ...places.map(placeLine),
    ...(isCalm && level === 'safe' ? [] : shortened(hits, maxHits, ' operations')),
    ...(isCalm ? [] : [`${reason}.`]),
    ...(isCalm || advice === null ? [] : [advice]),
    ...(verdict === 'fails' || verdict === 'undecided'
      ? [`To approve: ${approvalCommand(fingerprint)}`]
      : []),
  ];
  return [
    `  ${styleText(colours[level], level)} ${kind}: ${message}`,
    ...lines.map((line) => `      ${line}`),
  ].join('\n');
}
