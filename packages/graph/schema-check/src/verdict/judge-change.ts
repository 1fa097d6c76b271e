import { counted } from '@meridian/settings/command-line';

import type { ChangeWithHits } from '../changes/impact/find-hits.ts';
import { announcedKinds } from '../changes/kinds.ts';
import type { UsageWindow } from '../operations/known-operations.ts';
import type { Rules } from '../rules/rules.ts';

export interface Judgement {
  /**
   * - `fails`: it must not be merged like this.
   * - `undecided`: nothing says that it hurts no client.
   * - `approved`: schema-approvals.yaml has it.
   * - `passes`: it may be merged.
   */
  readonly verdict: 'fails' | 'undecided' | 'approved' | 'passes';
  /** A sentence without its full stop. */
  readonly reason: string;
}

/** The grounds of a verdict, beside the change. */
export interface Grounds {
  readonly rules: Pick<Rules, 'failOn' | 'operations' | 'deprecationDays'>;
  readonly window: Pick<UsageWindow, 'isSufficient' | 'reason'>;
  /** The reason of an approval that is in force. */
  readonly approvalOf: (change: ChangeWithHits) => string | undefined;
  /** True when an element was deprecated so long ago as the rules ask. */
  readonly wasDeprecated: (coordinate: string) => boolean;
}

/**
 * Decides about a change: by its level, the rules, the approvals, and the operations that it hits.
 *
 * Spec: Versioning, rule 4.
 */
export function judgeChange(change: ChangeWithHits, grounds: Grounds): Judgement {
  const { rules, approvalOf } = grounds;
  if (!rules.failOn.includes(change.level)) {
    return { verdict: 'passes', reason: `${change.level} changes pass` };
  }
  const judgement = judgeByUse(change, grounds);
  const approval = judgement.verdict === 'passes' ? undefined : approvalOf(change);
  return approval === undefined ? judgement : { verdict: 'approved', reason: `approved: ${approval}` };
}

function judgeByUse(change: ChangeWithHits, { rules, window, wasDeprecated }: Grounds): Judgement {
  const { level, hits, kind, coordinate } = change;
  if (level === 'security') {
    return { verdict: 'fails', reason: 'a security change needs an approval' };
  }
  if (level === 'lint') {
    return { verdict: 'fails', reason: 'the rules under `lint` of schema-check.yaml forbid it' };
  }
  const certain = hits.filter(({ isCertain }) => isCertain);
  if (certain.length > 0) {
    return { verdict: 'fails', reason: `${counted(certain.length, 'known operation')} would break` };
  }
  if (hits.length > 0) {
    return {
      verdict: 'undecided',
      reason: `whether ${counted(hits.length, 'operation')} would break depends on what clients send, and ${undecidedReason(window)}`,
    };
  }
  if (rules.deprecationDays > 0 && announcedKinds.has(kind) && !wasDeprecated(coordinate)) {
    return {
      verdict: 'fails',
      reason: `it was not deprecated ${counted(rules.deprecationDays, 'day')} ago, as the rules ask`,
    };
  }
  if (window.isSufficient) {
    return { verdict: 'passes', reason: `no known operation uses it: ${window.reason}` };
  }
  return rules.operations === 'registered'
    ? { verdict: 'passes', reason: 'no registered operation uses it' }
    : { verdict: 'undecided', reason: `no registered operation uses it, but others may: ${window.reason}` };
}

/** The reason why usage decides nothing: there is too little of it, or it does not have what clients send. */
function undecidedReason({ isSufficient, reason }: Pick<UsageWindow, 'isSufficient' | 'reason'>): string {
  return isSufficient ? `${reason} does not say what that is` : reason;
}
