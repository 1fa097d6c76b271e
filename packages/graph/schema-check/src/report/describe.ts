import { counted } from '@meridian/settings/command-line';

import { approvalsFile } from '../approvals.ts';
import type {
  CheckReport,
  ReportedApproval,
  ReportedChange,
  ReportedClient,
  ReportedDeployOrder,
  ReportedDeployReason,
  ReportedFault,
  ReportedHit,
  ReportedPlace,
} from './report.ts';

/** `2 changes: 1 breaking, 1 safe` */
export function countsLine({ changes, counts, faults }: CheckReport): string {
  if (isNotMade(faults)) {
    return 'nothing was compared';
  }
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([level, count]) => `${count} ${level}`);
  return changes.length === 0 ? 'no changes' : `${counted(changes.length, 'change')}: ${parts.join(', ')}`;
}

/** True for a check that could not be made. */
export function isNotMade(faults: CheckReport['faults']): boolean {
  return faults.some(({ kind }) => kind !== 'APPROVAL_INVALID');
}

/** The verdict of a check as a sentence. */
export function verdictLine(report: CheckReport): string {
  const { verdict, usage, changes, faults } = report;
  const failing = changes.filter((change) => change.verdict === 'fails').length;
  if (verdict === 'undecided') {
    return `Cannot tell whether clients would break: ${usage.isSufficient ? 'the recorded usage does not say what they send' : usage.reason}.`;
  }
  if (verdict === 'fails') {
    if (failing > 0) {
      return `${counted(failing, 'change')} must not be merged like this.`;
    }
    const [reason = ''] = faults.map((fault) => fault.reason);
    return isNotMade(faults)
      ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}: ${counted(faults.length, 'error')}.`
      : `${approvalsFile} must not be merged like this: ${reason}.`;
  }
  return 'No change hurts a known client.';
}

/** `unknown: 11b296356e117d76 FIELD_REMOVED Product.name (@meridian/products, until 2026-12-31)` */
export function approvalLine(approval: ReportedApproval): string {
  const { fingerprint, kind, coordinate, owner, expires, state } = approval;
  return `${state}: ${fingerprint} ${kind} ${coordinate} (${owner}, until ${expires})`;
}

/** A fault or a change. */
export type Finding = ReportedFault | ReportedChange;

/** A finding and its reason, for outputs without sections. */
export function findingLines(finding: Finding, maxHits: number, maxClients: number): readonly string[] {
  const { message, reason } = finding;
  if ('details' in finding) {
    return [`${reason}.`, message, ...finding.details];
  }
  const hits = finding.operations.slice(0, maxHits).map((hit) => hitLine(hit, maxClients));
  return [`${message}.`, `${reason}.`, ...hits];
}

/** A line below a change: words, and then a place or a command. */
interface Detail {
  readonly text?: string;
  readonly code?: string;
}

const maxHits = 10;
const maxClients = 5;

/** The places of a change, the operations that it hits, and what there is to do. */
export function detailsOf(change: ReportedChange): readonly Detail[] {
  const { places, operations, level, verdict, reason, advice, fingerprint } = change;
  const isCalm = verdict === 'passes';
  const hits = operations.map((hit) => hitLine(hit, maxClients));
  const texts = [
    ...(isCalm && level === 'safe' ? [] : shortened(hits, maxHits, ' operations')),
    ...(isCalm && level !== 'breaking' ? [] : [`${reason}.`]),
    ...(isCalm || advice === null ? [] : [advice]),
  ];
  // The author completes the command.
  const command = `pnpm check --approve ${fingerprint} --reason … --owner … --until …`;
  return [
    ...places.map((place) => ({ code: placeLine(place) })),
    ...texts.map((text) => ({ text })),
    ...(isCalm || verdict === 'approved' ? [] : [{ text: 'To approve: ', code: command }]),
  ];
}

/** A part of a report that is not about changes. */
export interface Section {
  readonly title: string;
  readonly entries: readonly (readonly [line: string, ...details: readonly string[]])[];
}

/** The errors for which a check could not be made. An approval that fails it is among those to look at. */
export function errorSections({ faults }: CheckReport): readonly Section[] {
  const entries = faults.flatMap(({ kind, message, details }) =>
    kind === 'APPROVAL_INVALID' ? [] : [[message, ...details] as const],
  );
  return entries.length === 0 ? [] : [{ title: 'Errors', entries }];
}

/** The deploy order, and the approvals that approve nothing. A section without entries is left out. */
export function furtherSections({ deployOrder, approvals }: CheckReport): readonly Section[] {
  const sections: readonly Section[] = [
    {
      title: 'Deploy order',
      entries: deployOrder.map((order) => [
        orderLine(order),
        ...shortened(order.reasons.map(orderReasonLine), maxReasons),
      ]),
    },
    {
      title: `Approvals to look at (${approvalsFile})`,
      entries: approvals.filter(({ state }) => state !== 'used').map((approval) => [approvalLine(approval)]),
    },
  ];
  return sections.filter(({ entries }) => entries.length > 0);
}

const maxReasons = 5;

/** `apps/products/schema.graphql:12:3 (products, @meridian/products)` */
export function placeLine({ subgraph, owners, file, line, column }: ReportedPlace): string {
  const names = [subgraph ?? [], owners].flat().join(', ');
  const ofNames = names === '' ? '' : ` (${names})`;
  return file === null ? `subgraph ${names}` : `${file}:${line ?? 1}:${column ?? 1}${ofNames}`;
}

/** `storefront 1.2, 15 requests, last on 2026-01-31` */
function clientText({ name, version, requests, lastDay }: ReportedClient): string {
  const client = `${name} ${version ?? ''}`.trim();
  const use =
    requests === null ? '' : `, ${counted(requests, 'request')}, last on ${lastDay ?? 'an unknown day'}`;
  return `${client === '' ? 'an unnamed client' : client}${use}`;
}

const endings = {
  invalid: 'is no longer valid',
  response: 'gets another response type',
  variables: 'sends it in variables',
  null: 'sends null for it',
  uses: 'uses it',
} as const;

/** `TopProducts is no longer valid: storefront 1.2, 15 requests, last on 2026-01-31` */
export function hitLine({ name, how, isCertain, clients }: ReportedHit, maxClients: number): string {
  const texts = shortened(clients.map(clientText), maxClients);
  return `${operationName(name)} ${isCertain ? '' : 'perhaps '}${endings[how]}: ${texts.join('; ')}`;
}

/** Changes by what there is to do about them, in the order in which they are shown. */
export function byVerdict({
  changes,
}: CheckReport): readonly (readonly [string, readonly ReportedChange[]])[] {
  const groups = [
    ['Must not be merged like this', 'fails'],
    ['Cannot tell', 'undecided'],
    ['Approved', 'approved'],
    ['May be merged', 'passes'],
  ] as const;
  return groups
    .map(([title, verdict]) => [title, changes.filter((change) => change.verdict === verdict)] as const)
    .filter(([, ofVerdict]) => ofVerdict.length > 0);
}

const orderTexts = {
  any: 'any order',
  'subgraph-first': 'the subgraph first, then the supergraph',
  'supergraph-first': 'the supergraph first, then the subgraph',
  'two-steps': 'neither first: the change takes two steps',
} as const;

/** `products: the subgraph first, then the supergraph` */
export function orderLine({ subgraph, order }: ReportedDeployOrder): string {
  return `${subgraph}: ${orderTexts[order]}`;
}

const maxOperations = 3;

/**
 * `not the supergraph first: Cannot query field "stock" on type "Product". (ProductDetails, TopProducts and 2 more)`
 */
function orderReasonLine({ against, operations, message }: ReportedDeployReason): string {
  const first = against === 'subgraph-first' ? 'not the subgraph first' : 'not the supergraph first';
  return `${first}: ${message}${operations.length === 0 ? '' : ` (${operationList(operations, maxOperations)})`}`;
}

/** The first lines, and the number of the others. */
function shortened(lines: readonly string[], max: number, of = ''): readonly string[] {
  return lines.length <= max ? lines : [...lines.slice(0, max), `and ${lines.length - max} more${of}`];
}

/** `Parcels, Top and 2 more` */
export function operationList(names: readonly string[], max: number): string {
  const more = names.length > max ? ` and ${names.length - max} more` : '';
  return `${names.slice(0, max).map(operationName).join(', ')}${more}`;
}

function operationName(name: string): string {
  return name === '' ? 'an anonymous operation' : name;
}
