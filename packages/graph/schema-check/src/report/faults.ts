import { systemError } from '@meridian/composition/commands/system-error';

import { approvalsFile } from '../approvals.ts';
import { fingerprintOf } from '../changes/change.ts';
import type { OwnersOf } from '../read/code-owners.ts';
import type { FaultPlace } from '../read/composition-error.ts';
import { CompositionError } from '../read/composition-error.ts';
import { approvalLine } from './describe.ts';
import type { CheckReport, FaultKind, ReportedApproval, ReportedFault } from './report.ts';

/** The approvals that fail a check. */
export function approvalFaults(
  approvals: readonly ReportedApproval[],
  ownersOf: OwnersOf,
): readonly ReportedFault[] {
  const reason = 'the fingerprint of an approval does not match its other fields';
  const places = [{ file: approvalsFile }];
  return approvals
    .filter(({ state }) => state === 'unknown')
    .map((approval) =>
      faultOf({ kind: 'APPROVAL_INVALID', reason, text: approvalLine(approval), places }, ownersOf),
    );
}

/** The report of a check that could not be made. */
export function failedReport(
  error: unknown,
  { base, head, ownersOf }: Pick<CheckReport, 'base' | 'head'> & { readonly ownersOf: OwnersOf },
): CheckReport {
  return {
    format: 'meridian-schema-check',
    version: 1,
    base,
    head,
    verdict: 'fails',
    counts: { security: 0, breaking: 0, dangerous: 0, lint: 0, safe: 0 },
    usage: { isSufficient: false, reason: 'not read' },
    faults: faultsIn(error).map((fault) => faultOf(fault, ownersOf)),
    changes: [],
    approvals: [],
    deployOrder: [],
    plans: [],
  };
}

interface Fault {
  readonly kind: FaultKind;
  readonly reason: string;
  readonly text: string;
  readonly places: readonly FaultPlace[];
}

function faultsIn(error: unknown): readonly Fault[] {
  if (error instanceof CompositionError) {
    const { issues, subject } = error;
    const reason = `the ${subject} does not compose`;
    return issues.map(({ text, places }) => ({ kind: 'COMPOSITION_ERROR', reason, text, places }));
  }
  const text = systemError(error) ?? (error instanceof Error ? error.message : String(error));
  const file = text.split(/[\s:]/u).find((word) => isFile.test(word));
  const places = file === undefined ? [] : [{ file }];
  return [{ kind: 'CHECK_FAILED', reason: 'the check cannot be made', text, places }];
}

function faultOf({ kind, reason, text, places }: Fault, ownersOf: OwnersOf): ReportedFault {
  const { message, details } = splitText(text);
  return {
    kind,
    message,
    details,
    reason,
    places: places.map(({ subgraph = null, file = null, line = null, column = null }) => ({
      subgraph,
      owners: file === null ? [] : ownersOf(file),
      file,
      line,
      column,
    })),
    fingerprint: fingerprintOf({ kind, coordinate: message, before: null, after: null }, null),
  };
}

/** A path in the repository, as in `Cannot read schema-check.yaml: …`. */
const isFile = /^[\w.-][\w./-]*\.(?:ya?ml|json|graphql)$/u;

/**
 * A text as a sentence and further lines. A first line with a colon goes on: Apollo puts a query between the two halves of
 * `The following supergraph API query: … cannot be satisfied by the subgraphs because:`.
 */
function splitText(text: string): Pick<ReportedFault, 'message' | 'details'> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const end = lines.findIndex((line, index) => index > 0 && line.endsWith(':'));
  const count = lines[0]?.endsWith(':') === true ? Math.max(end, 1) + 1 : 1;
  const sentence = lines.slice(0, count).map((line) => line.trim());
  return { message: sentence.join(' '), details: lines.slice(count) };
}
