import { systemError } from '@meridian/composition/commands/system-error';

import { approvalsFile } from '../approvals.ts';
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
  return approvals
    .filter(({ state }) => state === 'unknown')
    .map((approval) =>
      faultOf('APPROVAL_INVALID', approvalLine(approval), [{ file: approvalsFile }], ownersOf),
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
    usage: { isSufficient: false, reason: 'nothing was compared' },
    faults:
      error instanceof CompositionError
        ? error.issues.map(({ text, places }) => faultOf('COMPOSITION_ERROR', text, places, ownersOf))
        : [checkFault(error, ownersOf)],
    changes: [],
    approvals: [],
    deployOrder: [],
    plans: [],
  };
}

const reasons: Readonly<Record<FaultKind, string>> = {
  APPROVAL_INVALID: 'the fingerprint of an approval does not match its other fields',
  COMPOSITION_ERROR: 'the graph does not compose',
  CHECK_FAILED: 'the check cannot be made',
};

function faultOf(
  kind: FaultKind,
  text: string,
  places: readonly FaultPlace[],
  ownersOf: OwnersOf,
): ReportedFault {
  const [message = '', ...details] = text.split('\n');
  return {
    kind,
    message,
    details,
    reason: reasons[kind],
    places: places.map(({ subgraph = null, file = null, line = null, column = null }) => ({
      subgraph,
      owners: file === null ? [] : ownersOf(file),
      file,
      line,
      column,
    })),
  };
}

function checkFault(error: unknown, ownersOf: OwnersOf): ReportedFault {
  const message = systemError(error) ?? (error instanceof Error ? error.message : String(error));
  const [, file] = namesFile.exec(message) ?? [];
  return faultOf('CHECK_FAILED', message, file === undefined ? [] : [{ file }], ownersOf);
}

/** `Cannot read schema-check.yaml: …` and `schema-check.yaml: …`, with a path in the repository. */
const namesFile = /^(?:Cannot \w+ )?([\w.-][\w./-]*\.(?:ya?ml|json|graphql))\b/u;
