import type { CompositionIssue } from '@meridian/composition';

import type { Approval, ApprovalState } from './approvals.ts';
import { stateOf } from './approvals.ts';
import type { Change } from './changes/change.ts';
import { changeOf, describeChange, fingerprintOf } from './changes/change.ts';
import { bySeverity, compareGraphs } from './changes/compare-graphs.ts';
import type { ChangeWithHits } from './changes/impact/find-hits.ts';
import { findHits, operationChange, withoutHits } from './changes/impact/find-hits.ts';
import type { KnownOperation, ReadOperation } from './changes/impact/known-operation.ts';
import { errorsOf, readOperation } from './changes/impact/known-operation.ts';
import { kindOf } from './changes/kinds.ts';
import { groupsOf } from './changes/pair-by-key.ts';
import type { SubgraphDeployOrder } from './deploy-order/deploy-order.ts';
import { deployOrders } from './deploy-order/deploy-order.ts';
import type { LimitsOfBoth } from './limits/compare-limits.ts';
import { compareLimits } from './limits/compare-limits.ts';
import { lintChanges } from './lint/lint-changes.ts';
import { createClientOwners } from './operations/client-uses.ts';
import { compareManifests } from './operations/compare-manifests.ts';
import type { KnownOperations, UsageWindow } from './operations/known-operations.ts';
import { knownOperations, usageWindow } from './operations/known-operations.ts';
import { comparePlans } from './plans/compare-plans.ts';
import type { ReadFigures } from './plans/figures.ts';
import type { OwnersOf } from './read/code-owners.ts';
import type { ListedOperations } from './read/read-manifests.ts';
import type { Sides } from './read/read-sides.ts';
import type { RecordedUsage } from './read/usage-file.ts';
import { approvalFaults } from './report/faults.ts';
import { countByLevel, verdictOf } from './report/merge-reports.ts';
import type { CheckReport, ReportedChange, ReportedDeployOrder, ReportedPlan } from './report/report.ts';
import { reportedHits } from './report/reported-hits.ts';
import { createReportedPlaces } from './report/reported-places.ts';
import type { Rules } from './rules/rules.ts';
import type { Judgement } from './verdict/judge-change.ts';
import { judgeChange } from './verdict/judge-change.ts';

/** Everything that a check depends on. */
export interface CheckInput extends ListedOperations {
  readonly sides: Sides;
  /** The name of a contract or another graph; null for the whole graph. */
  readonly graph: string | null;
  readonly base: string;
  readonly head: string;
  /** Absent where none is at hand. */
  readonly usage: RecordedUsage | undefined;
  /** The manifests of the graph that are not files of the repository. Default: none */
  readonly unread?: readonly string[];
  readonly rules: Rules;
  /** The rules that the change loosens, and that contradict the gateway's configuration. */
  readonly ruleChanges: readonly Change[];
  /** Absent where only supergraphs are compared. */
  readonly limits: LimitsOfBoth | undefined;
  readonly approvals: readonly Approval[];
  readonly ownersOf: OwnersOf;
  readonly readFigures: ReadFigures;
  /** True when an element was deprecated so long ago as the rules ask. */
  readonly wasDeprecated: (coordinate: string) => boolean;
  readonly today: Date;
}

/** Checks a changed graph against the clients that use it. */
export async function checkGraphs(input: CheckInput): Promise<CheckReport> {
  const gathered = gather(input);
  const compared = await compare(input, gathered);
  const judged = judge(input, gathered.window, compared.changes);
  return report(input, gathered, compared, judged);
}

/** The operations that count. */
interface Gathered {
  readonly window: UsageWindow;
  readonly operations: KnownOperations;
  /** They run over the old graph. */
  readonly running: readonly ReadOperation[];
  /** They are of the changed manifests, and run over the new graph only. */
  readonly added: readonly ReadOperation[];
  /** They are of the changed manifests, and run over neither graph. */
  readonly invalid: readonly KnownOperation[];
}

function gather({ sides, listedBefore, listedAfter, usage, unread, rules, today }: CheckInput): Gathered {
  const window = usageWindow(usage, rules.usageDays, today, unread);
  const operations = knownOperations({ listedBefore, listedAfter, usage, window, ignore: rules.ignore });
  const running: ReadOperation[] = [];
  const added: ReadOperation[] = [];
  const invalid: KnownOperation[] = [];
  for (const operation of operations.values()) {
    const ran = readOperation(sides.before.supergraph.apiSchema, operation);
    const runs = ran ?? readOperation(sides.after.supergraph.apiSchema, operation);
    if (runs === undefined) {
      invalid.push(operation);
    } else {
      (ran === undefined ? added : running).push(runs);
    }
  }
  return { window, operations, running, added, invalid };
}

/** Everything that changed. */
interface Compared {
  /** The most severe first. */
  readonly changes: readonly ChangeWithHits[];
  /** The hints of composition behind some of the changes. */
  readonly hints: ReadonlyMap<ChangeWithHits, CompositionIssue>;
  readonly orders: readonly SubgraphDeployOrder[];
  readonly plans: readonly ReportedPlan[];
}

async function compare(input: CheckInput, gathered: Gathered): Promise<Compared> {
  const { sides, rules, listedBefore, listedAfter, limits } = input;
  const { before, after } = sides;
  const { operations, running, added, invalid } = gathered;
  const schemaChanges = compareGraphs(before, after);
  const ofSchema = findHits(schemaChanges, running, {
    before: before.supergraph.apiSchema,
    after: after.supergraph.apiSchema,
  });
  const {
    planned,
    plans,
    changes: ofPlans,
  } = await comparePlans({ running, added }, sides, input.readFigures);
  const orders = deployOrders(sides, planned, rules);
  const ofLimits = limits === undefined ? [] : compareLimits([...operations.values()], sides, limits);
  const hints = new Map(sides.addedHints?.map((hint) => [changeOfHint(hint), hint]));
  const changes = [
    ...ofSchema,
    ...lintChanges(before.sources, after.sources, rules.lint).map(withoutHits),
    ...ofPlans.filter((change) => !isExplained(change, ofSchema) && !isAmong(change, ofLimits)),
    ...orders.filter(({ order }) => order === 'two-steps').map(inTwoSteps),
    ...compareManifests(listedBefore, listedAfter, operations),
    ...ofLimits,
    ...input.ruleChanges.map(withoutHits),
    ...hints.keys(),
    ...invalid.map((operation) =>
      operationChange('OPERATION_INVALID', operation, {
        before: operation.key,
        detail: errorsOf(after.supergraph.apiSchema, operation).join(' '),
      }),
    ),
  ];
  return {
    changes: changes
      .filter((change) => !(rules.ignore.descriptions && isOfDescriptions(change)))
      .toSorted(bySeverity),
    hints,
    orders,
    plans,
  };
}

/** The verdict on each change. */
interface Judged {
  readonly judgements: readonly (readonly [ChangeWithHits, Judgement])[];
  readonly approvals: readonly (Approval & { readonly state: ApprovalState })[];
}

function judge(input: CheckInput, window: UsageWindow, changes: readonly ChangeWithHits[]): Judged {
  const fingerprints = new Set(changes.map((change) => fingerprintOf(change, input.graph)));
  const approvals = input.approvals.map((approval) =>
    Object.assign({ state: stateOf(approval, fingerprints, input.today) }, approval),
  );
  const inForce = new Map(
    approvals
      .filter(({ state }) => state === 'used')
      .map(({ fingerprint, reason, owner, expires }) => [
        fingerprint,
        `${reason} (${owner}, until ${expires})`,
      ]),
  );
  const grounds = {
    rules: input.rules,
    window,
    approvalOf: (change: ChangeWithHits) => inForce.get(fingerprintOf(change, input.graph)),
    wasDeprecated: input.wasDeprecated,
  };
  return {
    judgements: changes.map((change) => [change, judgeChange(change, grounds)]),
    approvals,
  };
}

function report(
  input: CheckInput,
  { window }: Gathered,
  { hints, orders, plans }: Compared,
  { judgements, approvals }: Judged,
): CheckReport {
  const listed = [...input.listedAfter, ...input.listedBefore];
  const clientOwners = createClientOwners(input.rules.clients, listed);
  const placesOf = createReportedPlaces({ ...input, listed, limits: input.limits?.after, hints });
  const reported = judgements.map(([change, { verdict, reason }]): ReportedChange => ({
    kind: change.kind,
    level: change.level,
    coordinate: change.coordinate,
    before: change.before ?? null,
    after: change.after ?? null,
    subgraph: change.subgraph ?? null,
    message: describeChange(change),
    places: placesOf(change),
    graph: input.graph,
    fingerprint: fingerprintOf(change, input.graph),
    verdict,
    reason,
    advice: kindOf(change.kind).advice ?? null,
    operations: reportedHits(change.hits, clientOwners),
  }));
  const reportedApprovals = approvals.map(({ fingerprint, kind, coordinate, owner, expires, state }) => ({
    fingerprint,
    kind,
    coordinate,
    owner,
    expires,
    state,
  }));
  const faults = approvalFaults(reportedApprovals, input.ownersOf);
  return {
    format: 'meridian-schema-check',
    version: 1,
    base: input.base,
    head: input.head,
    verdict: verdictOf(reported, faults),
    counts: countByLevel(reported),
    usage: { isSufficient: window.isSufficient, reason: window.reason },
    faults,
    changes: reported,
    approvals: reportedApprovals,
    deployOrder: orders.map(reportedOrder),
    plans,
  };
}

function isAmong({ kind, coordinate }: Change, changes: readonly Change[]): boolean {
  return changes.some((change) => change.kind === kind && change.coordinate === coordinate);
}

/** True for a scope that an operation needs because of a change that names the operation already. */
function isExplained({ kind, hits }: ChangeWithHits, changes: readonly ChangeWithHits[]): boolean {
  return (
    kind === 'OPERATION_NEEDS_SCOPE' &&
    changes.some(
      (change) =>
        change.kind === 'AUTHORIZATION_TIGHTENED' &&
        change.hits.some(({ operation }) => operation === hits[0]?.operation),
    )
  );
}

/** Apollo warns of some hints; others only inform, as of a field that may be removed once it is overridden. */
function changeOfHint({ code, message, isWarning }: CompositionIssue): ChangeWithHits {
  const level = isWarning === false ? 'safe' : 'dangerous';
  return withoutHits(changeOf('COMPOSITION_HINT', code, { after: message, detail: message, level }));
}

function isOfDescriptions({ kind, coordinate }: Change): boolean {
  return kind === 'DESCRIPTION_CHANGED' || coordinate === 'INCONSISTENT_DESCRIPTION';
}

function inTwoSteps({ subgraph, reasons }: SubgraphDeployOrder): ChangeWithHits {
  const operations = new Set(reasons.flatMap(({ operation }) => operation ?? []));
  return {
    ...changeOf('DEPLOY_IN_TWO_STEPS', `subgraph ${subgraph}`, { subgraph }),
    hits: Array.from(operations, (operation) => ({ operation, how: 'uses', isCertain: true })),
  };
}

function reportedOrder({ subgraph, order, reasons }: SubgraphDeployOrder): ReportedDeployOrder {
  return {
    subgraph,
    order,
    reasons: groupsOf(reasons, ({ against, message }) => [against, message]).map((equal) => ({
      against: equal[0].against,
      message: equal[0].message,
      operations: [...new Set(equal.flatMap(({ operation }) => operation?.name ?? []))],
    })),
  };
}
