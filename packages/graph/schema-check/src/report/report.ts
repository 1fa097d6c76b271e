import type { PlanExplanation } from '@meridian/executor';

import type { Approval, ApprovalState } from '../approvals.ts';
import type { Hit, KnownOperation } from '../changes/impact/known-operation.ts';
import type { ChangeKind, Level } from '../changes/kinds.ts';
import type { DeployOrder, DeployReason } from '../deploy-order/deploy-order.ts';
import type { UsageWindow } from '../operations/known-operations.ts';
import type { Judgement } from '../verdict/judge-change.ts';

/** The result of a check, as its outputs show it and JSON has it: check-report.schema.json. */
export interface CheckReport {
  readonly format: 'meridian-schema-check';
  readonly version: 1;
  readonly base: string;
  readonly head: string;
  readonly verdict: 'passes' | 'fails' | 'undecided';
  readonly counts: Readonly<Record<Level, number>>;
  /** The usage that the check had at hand. */
  readonly usage: Pick<UsageWindow, 'isSufficient' | 'reason'>;
  /** They fail the check, and no approval lets them pass. */
  readonly faults: readonly ReportedFault[];
  /** The most severe first; none where the check could not be made. */
  readonly changes: readonly ReportedChange[];
  readonly approvals: readonly ReportedApproval[];
  /** Of each subgraph whose schema changed; empty where only supergraphs were compared. */
  readonly deployOrder: readonly ReportedDeployOrder[];
  /** The operations whose plans changed. */
  readonly plans: readonly ReportedPlan[];
}

/**
 * - `APPROVAL_INVALID`: an entry of schema-approvals.yaml is not what `--approve` wrote.
 * - `COMPOSITION_ERROR`: an error of composition; the message begins with its code.
 * - `CHECK_FAILED`: the base, a configuration or another file cannot be read.
 */
export type FaultKind = 'APPROVAL_INVALID' | 'COMPOSITION_ERROR' | 'CHECK_FAILED';

export interface ReportedFault {
  readonly kind: FaultKind;
  readonly message: string;
  /** The other lines of the message: places with what they say, and the rule that is broken. */
  readonly details: readonly string[];
  /** A sentence without its full stop, of all faults of the kind. */
  readonly reason: string;
  readonly places: readonly ReportedPlace[];
  /** Identifies the fault across commits, by kind and message. */
  readonly fingerprint: string;
}

export interface ReportedApproval extends Pick<
  Approval,
  'fingerprint' | 'kind' | 'coordinate' | 'owner' | 'expires'
> {
  readonly state: ApprovalState;
}

/** The order in which a subgraph and the supergraph may be deployed. */
export interface ReportedDeployOrder {
  readonly subgraph: string;
  readonly order: DeployOrder;
  /** The reasons against the other orders. */
  readonly reasons: readonly ReportedDeployReason[];
}

export interface ReportedDeployReason extends Pick<DeployReason, 'against' | 'message'> {
  /** The names of the operations that would fail; empty for a reason that concerns no known one. */
  readonly operations: readonly string[];
}

export interface ReportedPlan {
  readonly operation: string;
  /** The labels of progressive overrides that are set; empty for the plan without them. */
  readonly labels: readonly string[];
  readonly before: PlanFigures | null;
  readonly after: PlanFigures | null;
}

export type PlanFigures = Pick<PlanExplanation, 'fetchCount' | 'roundCount' | 'text' | 'flowchart'>;

export interface ReportedChange extends Judgement {
  readonly kind: ChangeKind;
  readonly level: Level;
  readonly coordinate: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The subgraph whose own definition changed; null where composition says which. */
  readonly subgraph: string | null;
  /** The contract, or the graph of several; null for the whole graph. */
  readonly graph: string | null;
  /** A sentence without its full stop. */
  readonly message: string;
  readonly places: readonly ReportedPlace[];
  /** Identifies the change across commits: by kind, coordinate, before, after, subgraph and graph. */
  readonly fingerprint: string;
  readonly advice: string | null;
  readonly operations: readonly ReportedHit[];
}

export interface ReportedPlace {
  /** Null for a place in a manifest or a configuration. */
  readonly subgraph: string | null;
  readonly owners: readonly string[];
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

/** An operation that a change concerns. */
export interface ReportedHit extends Omit<Hit, 'operation'>, Pick<KnownOperation, 'name' | 'identifiers'> {
  readonly clients: readonly ReportedClient[];
}

export interface ReportedClient {
  /** Empty for one that does not say. */
  readonly name: string;
  /** Null where any version may send it. */
  readonly version: string | null;
  readonly requests: number | null;
  readonly lastDay: string | null;
  /** As CODEOWNERS has them; empty where none are known. */
  readonly owners: readonly string[];
}
