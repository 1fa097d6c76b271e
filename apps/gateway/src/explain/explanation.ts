import { counted } from '@meridian/settings/command-line';
import type { FetchStep, OperationPlan, StoredParts, PlanStep } from '@meridian/executor';
import { explainPlan, fetchesOf } from '@meridian/executor';
import type { DocumentNode } from 'graphql';
import { Kind, print, visit } from 'graphql';

import type { RunError } from '../operation/run.ts';
import type { RecordedFetch, RecordedRequestError, RequestRecord } from '../telemetry/request-recorder.ts';

/**
 * The explanation of a request, for an operator: the caller, the operation and the outcome. It holds no
 * variable and no token.
 */
export interface Explanation {
  readonly traceId: string;
  readonly requestId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly method: string;
  readonly status: number;
  readonly client: { readonly name: string; readonly version: string };
  /** Absent for an anonymous or unverified caller. */
  readonly caller?: ExplainedCaller | undefined;
  readonly operation?: { readonly name: string | undefined; readonly type: string } | undefined;
  readonly cost?: number | undefined;
  /** The labels of `@override` that its plan depends on: true for each that is set. */
  readonly labels?: Readonly<Record<string, boolean>> | undefined;
  /** The reason for its rejection. */
  readonly requestError?: { readonly code: string; readonly reason: string } | undefined;
  /** Absent where none was opened. */
  readonly subscription?: ExplainedSubscription | undefined;
  /** The duration of each stage that was reached. */
  readonly stages: readonly { readonly name: string; readonly durationMs: number }[];
  readonly fetches: readonly ExplainedFetch[];
  /** Before masking. */
  readonly errors: readonly ExplainedError[];
  readonly plan?: string | undefined;
}

/** A subscription. The request's fetches and errors include the ones of its first events. */
export interface ExplainedSubscription {
  /** From its opening to its end. */
  readonly openMs: number;
  readonly events: number;
  /** By Apollo Router's names. */
  readonly endReason: string;
}

export interface ExplainedCaller {
  readonly subject: string;
  readonly issuer: string;
  readonly tenant: string;
  readonly scopes: readonly string[];
}

export interface ExplainedFetch {
  /** Its number in the plan; absent where the plan is not at hand. */
  readonly number?: number | undefined;
  readonly subgraph: string;
  readonly operation?: string | undefined;
  readonly entities?: number | undefined;
  /** After the request began. */
  readonly startMs: number;
  /** Absent where it had not ended when the request had. */
  readonly durationMs?: number | undefined;
  readonly outcome: string;
}

export interface ExplainedError {
  readonly path?: string | undefined;
  readonly subgraph?: string | undefined;
  readonly code?: string | undefined;
  readonly message: string;
}

export function explain(record: RequestRecord): Explanation {
  const { trace, caller, operation, requestError, plan, startMs, endMs, subscription } = record;
  const numbers = plan === undefined ? new Map<FetchStep, number>() : numberFetches(plan);
  return {
    traceId: trace.traceId,
    requestId: record.requestId,
    startedAt: new Date(startMs).toISOString(),
    durationMs: rounded(endMs - startMs),
    method: record.method,
    status: record.status,
    client: record.client,
    caller: caller && {
      subject: caller.subject,
      issuer: caller.issuer,
      tenant: caller.tenantId,
      scopes: [...caller.scopes],
    },
    operation,
    cost: record.cost,
    labels: record.labels,
    requestError: requestError && { code: requestError.code, reason: reasonOf(requestError) },
    subscription: subscription && {
      openMs: rounded(endMs - subscription.openedMs),
      events: subscription.eventCount,
      endReason: subscription.endReason,
    },
    stages: stagesOf(record),
    fetches: record.fetches.map((fetch) => ({
      number: fetch.step && numbers.get(fetch.step),
      ...explainFetch(fetch, startMs),
    })),
    errors: record.errors.map(explainError),
    plan: plan && explainPlan(withoutLiterals(plan)).text,
  };
}

/** As the plan's text numbers them. */
function numberFetches({ root }: OperationPlan): ReadonlyMap<FetchStep, number> {
  return new Map(fetchesOf(root).map((step, index) => [step, index + 1]));
}

/** The message that the client received, without quotations of its request, and the underlying cause. */
function reasonOf({ reason, cause }: RecordedRequestError): string {
  return [reason ?? 'the response says what is wrong with the request', causesOf(cause)]
    .filter((part) => part !== '')
    .join(': ');
}

function stagesOf(record: RequestRecord): Explanation['stages'] {
  const ends = [
    ['identify', record.identifiedMs],
    ['compile', record.compiledMs],
    ['admit', record.admittedMs],
    ['plan', record.plannedMs],
    ['execute', record.executedMs],
    ['subscribe', record.subscription?.openedMs],
    ['respond', record.endMs],
  ] as const;
  const reached = ends.flatMap(([name, end]) => (end === undefined ? [] : [{ name, end }]));
  return reached.map(({ name, end }, index) => ({
    name,
    durationMs: rounded(end - (reached[index - 1]?.end ?? record.startMs)),
  }));
}

function explainFetch(fetch: RecordedFetch, requestStartMs: number): ExplainedFetch {
  const { startMs, endMs, errorCount, failure, stored } = fetch;
  return {
    subgraph: fetch.subgraph,
    operation: fetch.operationName,
    entities: fetch.entityCount,
    startMs: rounded(startMs - requestStartMs),
    durationMs: endMs === undefined ? undefined : rounded(endMs - startMs),
    outcome: `${outcomeOf(endMs, errorCount, failure)}${fromCache(stored)}`,
  };
}

function outcomeOf(endMs: number | undefined, errorCount: number, failure: unknown): string {
  if (endMs === undefined) {
    return 'not ended';
  }
  if (failure !== undefined) {
    return causesOf(failure);
  }
  return errorCount === 0 ? 'ok' : counted(errorCount, 'error');
}

/** Of a response, the part that the cache had. */
function fromCache(stored: StoredParts | undefined): string {
  if (stored === undefined || stored.hits === 0) {
    return '';
  }
  return stored.misses === 0
    ? ', from the cache'
    : `, ${stored.hits} of ${stored.hits + stored.misses} from the cache`;
}

function explainError(error: RunError): ExplainedError {
  const path = error.path?.join('.');
  switch (error.kind) {
    case 'unauthorized':
      return {
        path,
        code: 'UNAUTHORIZED_FIELD_OR_TYPE',
        message: `the caller may not see this field: it requires ${error.requirement}`,
      };
    case 'reported': {
      const { code } = error.extensions;
      const { subgraph, message } = error;
      return { path, subgraph, code: typeof code === 'string' ? code : undefined, message };
    }
    case 'subrequest':
      return { path, subgraph: error.subgraph, code: error.code, message: causesOf(error.cause) };
    case 'omitted':
      return { path, subgraph: error.subgraph, code: undefined, message: 'further errors were omitted' };
    case 'internal':
    default:
      return { path, code: 'INTERNAL_SERVER_ERROR', message: causesOf(error.cause) };
  }
}

/** The message of an error, and of what caused it, and so on. */
function causesOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return typeof error === 'string' ? error : (JSON.stringify(error) ?? '');
  }
  const cause = causesOf(error.cause);
  return cause === '' ? error.message : `${error.message}: ${cause}`;
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

/** The plan without the string literals of the client's operation, which may hold anything. */
function withoutLiterals(plan: OperationPlan): OperationPlan {
  return plan.root === undefined ? plan : { ...plan, root: stepWithoutLiterals(plan.root) };
}

function stepWithoutLiterals(step: PlanStep): PlanStep {
  if (step.kind !== 'fetch') {
    return { ...step, steps: step.steps.map(stepWithoutLiterals) };
  }
  const document = documentWithoutLiterals(step.document);
  return { ...step, document, text: print(document) };
}

function documentWithoutLiterals(document: DocumentNode): DocumentNode {
  return visit(document, {
    [Kind.STRING]: (node) => ({ ...node, value: '…', block: false }),
  });
}
