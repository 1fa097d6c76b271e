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
      faultOf(
        'APPROVAL_INVALID',
        'the fingerprint of an approval does not match its other fields',
        approvalLine(approval),
        [{ file: approvalsFile }],
        ownersOf,
      ),
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
    faults:
      error instanceof CompositionError
        ? error.issues.map(({ text, places }) => {
            const reason = `the ${error.subject} does not compose`;
            return faultOf('COMPOSITION_ERROR', reason, text, places, ownersOf);
          })
        : [checkFault(error, ownersOf)],
    changes: [],
    approvals: [],
    deployOrder: [],
    plans: [],
  };
}

function faultOf(
  kind: FaultKind,
  reason: string,
  text: string,
  places: readonly FaultPlace[],
  ownersOf: OwnersOf,
): ReportedFault {
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
  };
}

function checkFault(error: unknown, ownersOf: OwnersOf): ReportedFault {
  const message = systemError(error) ?? (error instanceof Error ? error.message : String(error));
  const file = message.split(/[\s:]/u).find((word) => isFile.test(word));
  return faultOf(
    'CHECK_FAILED',
    'the check cannot be made',
    message,
    file === undefined ? [] : [{ file }],
    ownersOf,
  );
}

/** A path in the repository, as in `Cannot read schema-check.yaml: …`. */
const isFile = /^[\w.-][\w./-]*\.(?:ya?ml|json|graphql)$/u;

/**
 * A text as a sentence and further lines. A first line with a colon goes on: Apollo puts a query between the two halves of
 * `The following supergraph API query: … cannot be satisfied by the subgraphs because:`.
 */
function splitText(text: string): Pick<ReportedFault, 'message' | 'details'> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const goesOn = lines[0]?.endsWith(':') === true;
  const end = lines.findIndex((line, index) => index > 0 && line.endsWith(':'));
  const count = goesOn ? Math.max(end, 1) + 1 : 1;
  return {
    message: lines
      .slice(0, count)
      .map((line) => line.trim())
      .join(' '),
    details: lines.slice(count),
  };
}
