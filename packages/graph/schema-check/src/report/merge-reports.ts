import { fingerprintOf } from '../changes/change.ts';
import type { CheckReport } from './report.ts';

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
  const worst = Math.max(
    0,
    ...changes.map(({ verdict }) => severity.indexOf(verdict)),
    ...approvals.map(({ state }) => (state === 'unknown' ? severity.indexOf('fails') : 0)),
  );
  const verdict = severity[worst] === 'approved' ? 'passes' : (severity[worst] ?? 'fails');
  const counts = { ...whole.counts };
  for (const { level } of added) {
    counts[level] += 1;
  }
  return {
    ...whole,
    verdict,
    counts,
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
