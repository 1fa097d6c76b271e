import { alignColumns, counted } from '@meridian/settings/command-line';

import type { ExplainedError, ExplainedFetch, Explanation } from './explanation.ts';

/** An explanation as a text for a terminal. */
export function describeExplanation(explanation: Explanation): string {
  const { fetches, errors, plan } = explanation;
  return [
    alignColumns(headings(explanation)).join('\n'),
    section(
      'Stages',
      alignColumns(explanation.stages.map(({ name, durationMs }) => [name, ms(durationMs)])).join('\n'),
    ),
    fetches.length === 0 ? undefined : section('Fetches', alignColumns(fetchRows(fetches)).join('\n')),
    errors.length === 0 ? undefined : section('Errors, before masking', errors.map(describeError).join('\n')),
    plan === undefined ? undefined : section('Plan', plan),
  ]
    .filter((part) => part !== undefined)
    .map((part) => `${part}\n`)
    .join('\n');
}

function headings(explanation: Explanation): readonly (readonly string[])[] {
  const {
    operation,
    client,
    caller,
    cost,
    labels = {},
    requestError,
    subscription,
    method,
    status,
  } = explanation;
  return [
    ['Trace', explanation.traceId],
    ['Request', explanation.requestId],
    ['When', `${explanation.startedAt}, for ${ms(explanation.durationMs)}`],
    ['Response', `${method} ${status}`],
    ['Operation', operation === undefined ? '–' : `${operation.type} ${operation.name ?? '(anonymous)'}`],
    ['Client', `${client.name} ${client.version}`.trim() || '–'],
    [
      'Caller',
      caller === undefined
        ? 'anonymous'
        : `${caller.subject} of ${caller.tenant}, says ${caller.issuer}; may ${caller.scopes.join(', ') || 'nothing in particular'}`,
    ],
    ['Cost', cost === undefined ? '–' : `${cost}, estimated`],
    ...Object.entries(labels).map(([label, isSet]) => [`Label ${label}`, isSet ? 'set' : 'not set']),
    ...(subscription === undefined
      ? []
      : [
          [
            'Subscription',
            `${counted(subscription.events, 'event')} in ${ms(subscription.openMs)}, until ${subscription.endReason}`,
          ],
        ]),
    ...(requestError === undefined ? [] : [['Refused', `${requestError.code}: ${requestError.reason}`]]),
  ];
}

function fetchRows(fetches: readonly ExplainedFetch[]): readonly (readonly string[])[] {
  return fetches.map(({ subgraph, operation, entities, startMs, durationMs, outcome }) => [
    `at ${ms(startMs)}`,
    durationMs === undefined ? '–' : ms(durationMs),
    subgraph,
    operation ?? '–',
    entities === undefined ? '' : counted(entities, 'entity', 'entities'),
    outcome,
  ]);
}

function describeError({ path, subgraph, code, message }: ExplainedError): string {
  const where = path === undefined ? '' : `${path}: `;
  const who = subgraph === undefined ? '' : ` (${subgraph})`;
  return `${where}${code ?? 'no code'}${who}\n  ${message.replaceAll('\n', '\n  ')}`;
}

function section(title: string, text: string): string {
  return `${title}\n${text.replaceAll(/^/gm, '  ')}`;
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(1)} ms`;
}
