import type { CompositionIssue } from '@meridian/composition';
import type { Change } from './changes/change.ts';
import type { ChangeWithHits } from './changes/impact/find-hits.ts';
import type { KnownOperation } from './changes/impact/known-operation.ts';
import { changeOf, describeChange } from './changes/change.ts';
import { bySeverity, compareGraphs } from './changes/compare-graphs.ts';
import { findHits } from './changes/impact/find-hits.ts';
import { readOperation } from './changes/impact/read-operation.ts';
import { kinds } from './changes/kinds.ts';
import { createLocator } from './changes/places/locate-changes.ts';
import type { Kind, Level } from './changes/kinds.ts';

import type { Approval } from './approvals.ts';
import { stateOf } from './approvals.ts';
import type { SubgraphDeployOrder } from './deploy-order/deploy-order.ts';
import { deployOrders } from './deploy-order/deploy-order.ts';
import { createClientOwners } from './operations/client-owners.ts';
import { compareManifests } from './operations/compare-manifests.ts';
import { knownOperations } from './operations/known-operations.ts';
import { usageWindow } from './operations/usage-window.ts';
import { endPhase } from './end-phase.ts';
import type { LimitsOfBoth } from './limits/compare-limits.ts';
import { compareLimits } from './limits/compare-limits.ts';
import { lintChanges } from './lint/lint-changes.ts';
import { comparePlans } from './plans/compare-plans.ts';
import type { ReadFigures } from './plans/figures.ts';
import type { OwnersOf } from './read/code-owners.ts';
import type { ClientOperation } from './read/read-manifests.ts';
import type { Sides } from './read/read-sides.ts';
import type { RecordedUsage } from './read/usage-file.ts';
import { createFilePlaces } from './report/file-places.ts';
import type {
  CheckReport,
  ReportedChange,
  ReportedDeployOrder,
  ReportedPlace,
  Verdict,
} from './report/report.ts';
import { reportedHits } from './report/reported-hits.ts';
import type { Rules } from './rules/rules.ts';
import { fingerprintOf } from './changes/fingerprint.ts';
import type { Grounds } from './verdict/judge-change.ts';
import { judgeChange } from './verdict/judge-change.ts';

/** Everything that a check depends on. */
export interface CheckInput extends Pick<Grounds, 'wasDeprecated'> {
  readonly sides: Sides;
  readonly base: string;
  readonly head: string;
  readonly listedBefore: readonly ClientOperation[];
  readonly listedAfter: readonly ClientOperation[];
  /** Absent where none is at hand. */
  readonly usage: RecordedUsage | undefined;
  readonly rules: Rules;
  /** The rules that the change loosens, and that contradict the gateway's configuration. */
  readonly ruleChanges: readonly Change[];
  /** Absent where only supergraphs are compared. */
  readonly limits: LimitsOfBoth | undefined;
  readonly approvals: readonly Approval[];
  readonly ownersOf: OwnersOf;
  readonly readFigures: ReadFigures;
  readonly today: Date;
}

/** Checks a changed graph against the clients that use it. */
export async function checkGraphs(input: CheckInput): Promise<CheckReport> {
  const { sides, rules, usage, listedBefore, listedAfter, ownersOf } = input;
  const { before, after } = sides;
  const window = usageWindow(usage, rules.usageDays, input.today);
  const operations = knownOperations({ listedBefore, listedAfter, usage, window, ignore: rules.ignore });
  const { apiSchema } = before.supergraph;
  const known = [...operations.values()];
  const read = known.flatMap((operation) => readOperation(apiSchema, operation) ?? []);
  const running = new Set(read.map(({ operation }) => operation));
  endPhase('operations');
  const schemaChanges = compareGraphs(before, after);
  endPhase('changes');
  const ofSchema = findHits(schemaChanges, read, {
    before: apiSchema,
    after: after.supergraph.apiSchema,
  });
  const added = known
    .filter((operation) => !running.has(operation))
    .flatMap((operation) => readOperation(after.supergraph.apiSchema, operation) ?? []);
  endPhase('hits');
  const planned = await comparePlans({ running: read, added }, sides, input.readFigures);
  endPhase('plans');
  const orders = deployOrders(sides, planned.planned, rules);
  endPhase('deploy order');
  const ofLimits = input.limits === undefined ? [] : compareLimits(known, sides, input.limits);
  const hints = new Map(sides.addedHints?.map((hint) => [changeOfHint(hint), hint]));
  const changes = [
    ...ofSchema,
    ...lintChanges(before.sources, after.sources, rules.lint).map(withoutHits),
    ...planned.changes.filter((change) => !isExplained(change, ofSchema) && !isAmong(change, ofLimits)),
    ...orders.filter(({ order }) => order === 'two-steps').map(inTwoSteps),
    ...compareManifests(listedBefore, listedAfter, operations),
    ...ofLimits,
    ...input.ruleChanges.map(withoutHits),
    ...hints.keys(),
    ...known
      .filter((operation) => !running.has(operation) && !added.some((read) => read.operation === operation))
      .map(neverRan),
  ]
    .filter(({ kind }) => !(rules.ignore.descriptions && kind === 'DESCRIPTION_CHANGED'))
    .toSorted(bySeverity);
  const clientOwners = createClientOwners(rules.clients, [...listedAfter, ...listedBefore]);
  const locate = createLocator(before, after);
  const approvals = input.approvals.map((approval) => ({
    approval,
    state: stateOf(approval, new Set(changes.map(fingerprintOf)), input.today),
  }));
  const inForce = new Map(
    approvals
      .filter(({ state }) => state === 'used')
      .map(({ approval }) => [
        approval.fingerprint,
        `${approval.reason} (${approval.owner}, until ${approval.expires})`,
      ]),
  );
  const grounds: Grounds = {
    rules,
    window,
    approvalOf: (change) => inForce.get(fingerprintOf(change)),
    wasDeprecated: input.wasDeprecated,
  };
  const filePlaceOf = createFilePlaces({
    listed: [...listedAfter, ...listedBefore],
    limits: input.limits?.after,
  });
  const placesOf = (change: ChangeWithHits): readonly ReportedPlace[] => {
    const places = locate(change).map(({ subgraph, file, line, column }) => ({
      subgraph,
      owners: file === undefined ? [] : ownersOf(file),
      file: file ?? null,
      line: line ?? null,
      column: column ?? null,
    }));
    const hint = hints.get(change);
    if (hint !== undefined) {
      return hint.locations.map(({ subgraph, start: { line, column } }) => {
        const file = after.sources.find(({ name }) => name === subgraph)?.file;
        return {
          subgraph,
          owners: file === undefined ? [] : ownersOf(file),
          file: file ?? null,
          line,
          column,
        };
      });
    }
    const place = places.length > 0 ? undefined : filePlaceOf(change);
    return place === undefined
      ? places
      : [{ subgraph: null, owners: ownersOf(place.file), ...place, column: 1 }];
  };
  const reported = changes.map((change): ReportedChange => {
    const { advice }: Kind = kinds[change.kind];
    const { verdict, reason } = judgeChange(change, grounds);
    return {
      kind: change.kind,
      level: change.level,
      coordinate: change.coordinate,
      before: change.before ?? null,
      after: change.after ?? null,
      subgraph: change.subgraph ?? null,
      message: describeChange(change),
      places: placesOf(change),
      fingerprint: fingerprintOf(change),
      verdict,
      reason,
      advice: advice ?? null,
      operations: reportedHits(change.hits, clientOwners),
    };
  });
  return {
    format: 'meridian-schema-check',
    version: 1,
    base: input.base,
    head: input.head,
    verdict: approvals.some(({ state }) => state === 'unknown') ? 'fails' : verdictOf(reported),
    counts: countByLevel(reported),
    usage: { isSufficient: window.isSufficient, reason: window.reason },
    changes: reported,
    approvals: approvals.map(({ approval: { fingerprint, kind, coordinate, owner, expires }, state }) => ({
      fingerprint,
      kind,
      coordinate,
      owner,
      expires,
      state,
    })),
    deployOrder: orders.map(reportedOrder),
    plans: planned.plans,
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

/** An operation of the changed manifests that runs over neither graph. */
function neverRan(operation: KnownOperation): ChangeWithHits {
  const change: Change = changeOf('OPERATION_INVALID', `operation ${operation.name}`, {
    before: operation.key,
  });
  return { ...change, hits: [{ operation, how: 'invalid', isCertain: true }] };
}

function changeOfHint({ code, message }: CompositionIssue): ChangeWithHits {
  return withoutHits(changeOf('COMPOSITION_HINT', code, { after: message }));
}

function withoutHits(change: Change): ChangeWithHits {
  return { ...change, hits: [] };
}

function inTwoSteps({ subgraph, reasons }: SubgraphDeployOrder): ChangeWithHits {
  const operations = new Set(reasons.flatMap(({ operation }) => operation ?? []));
  return {
    ...changeOf('DEPLOY_IN_TWO_STEPS', `subgraph ${subgraph}`, { subgraph }),
    hits: Array.from(operations, (operation) => ({ operation, how: 'uses', isCertain: true })),
  };
}

function reportedOrder({ subgraph, order, reasons }: SubgraphDeployOrder): ReportedDeployOrder {
  const byText = Map.groupBy(reasons, ({ against, message }) => JSON.stringify([against, message]));
  return {
    subgraph,
    order,
    reasons: [...byText.values()].flatMap((equal) =>
      equal.slice(0, 1).map(({ against, message }) => ({
        against,
        message,
        operations: [...new Set(equal.flatMap(({ operation }) => operation?.name ?? []))],
      })),
    ),
  };
}

function verdictOf(changes: readonly { readonly verdict: Verdict }[]): CheckReport['verdict'] {
  const has = (verdict: Verdict): boolean => changes.some((change) => change.verdict === verdict);
  if (has('fails')) {
    return 'fails';
  }
  return has('undecided') ? 'undecided' : 'passes';
}

function countByLevel(changes: readonly ReportedChange[]): Readonly<Record<Level, number>> {
  const count = (level: Level): number => changes.filter((change) => change.level === level).length;
  return {
    security: count('security'),
    breaking: count('breaking'),
    dangerous: count('dangerous'),
    lint: count('lint'),
    safe: count('safe'),
  };
}
