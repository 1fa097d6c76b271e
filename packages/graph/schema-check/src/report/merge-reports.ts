import { fingerprintOf } from '../changes/change.ts';
import type { CheckReport, ReportedChange } from './report.ts';

const severity = ['passes', 'approved', 'undecided', 'fails'] as const;

/**
 * One report of all graphs: what the others add says which graph it is of. A change that the whole graph has with the same
 * verdict or a worse one is not repeated.
 */
export function mergeReports(
  whole: CheckReport,
  others: readonly (readonly [name: string, report: CheckReport])[],
): CheckReport {
  const verdicts = new Map(
    whole.changes.map(({ fingerprint, verdict }) => [fingerprint, severity.indexOf(verdict)]),
  );
  const reports = [whole, ...others.map(([, report]) => report)];
  const added = others.flatMap(([name, { changes }]) =>
    changes
      .filter(
        (change) => severity.indexOf(change.verdict) > (verdicts.get(fingerprintOf(change, null)) ?? -1),
      )
      .map((change) => Object.assign({}, change, { message: `graph ${name}: ${change.message}` })),
  );
  const changes = [...whole.changes, ...added];
  const approvals = whole.approvals.map((approval, index) => {
    const states = reports.map((report) => report.approvals[index]?.state);
    return states.includes('used') ? { ...approval, state: 'used' as const } : approval;
  });
  return {
    ...whole,
    verdict: verdictOf(changes, whole.faults),
    counts: countByLevel(changes),
    changes,
    approvals,
    plans: [
      ...whole.plans,
      ...others.flatMap(([name, { plans }]) =>
        plans.map((plan) => ({ ...plan, operation: `graph ${name}: ${plan.operation}` })),
      ),
    ],
  };
}

export function verdictOf(
  changes: readonly Pick<ReportedChange, 'verdict'>[],
  faults: readonly unknown[],
): CheckReport['verdict'] {
  const verdicts = new Set(changes.map(({ verdict }) => verdict));
  if (verdicts.has('fails') || faults.length > 0) {
    return 'fails';
  }
  return verdicts.has('undecided') ? 'undecided' : 'passes';
}

export function countByLevel(changes: readonly Pick<ReportedChange, 'level'>[]): CheckReport['counts'] {
  const counts = { security: 0, breaking: 0, dangerous: 0, lint: 0, safe: 0 };
  for (const { level } of changes) {
    counts[level] += 1;
  }
  return counts;
}
