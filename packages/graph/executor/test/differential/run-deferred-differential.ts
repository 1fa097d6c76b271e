// The generated comparison of operations with `@defer`: the parts, merged by Apollo Client, are the answer without it; which
// parts there are is as graphql-js 17 decides; the fast path and the slow path deliver the same parts; and where subgraphs
// fail, no part changes what was delivered before.
import { isDeepStrictEqual } from 'node:util';

import { createRandom } from '@meridian/testing';
import { extendSchema, parse } from 'graphql';

import type { ExecutionResult, Executor, ExecutorOptions, Planner } from '../../src/index.ts';
import { OperationError, createExecutor, createLocalPlanner } from '../../src/index.ts';
import type { DeferredOutcome } from './deferred-outcome.ts';
import { addingFragments, changeOf, mergedByApolloClient, readDeferred } from './deferred-outcome.ts';
import type { Scenario } from './faulty-transport.ts';
import { createFaultyTransport, scenarios } from './faulty-transport.ts';
import type { FederationUnderTest } from './federation-under-test.ts';
import { createFederationUnderTest } from './federation-under-test.ts';
import type { GeneratedOperation } from './generate-operation.ts';
import { generateOperation } from './generate-operation.ts';
import { createDeferralJudge, describePart, withTypes } from './materialized-answer.ts';
import { describeError } from './outcome.ts';

export interface DeferredDifferentialOptions {
  readonly seed: string;
  /** At least so many cases are run: each is one run of one operation. */
  readonly cases: number;
  /** The executor that is compared. */
  readonly createTested?: (options: ExecutorOptions) => Executor;
  /** After so many differences it ends. */
  readonly maxDifferences?: number;
}

export interface DeferredDifferentialReport {
  readonly cases: number;
  readonly federations: number;
  /** The federations that take too long to compose. */
  readonly skipped: number;
  readonly differences: readonly string[];
  /** The number of times that each kind of thing was met. */
  readonly exercised: ReadonlyMap<string, number>;
}

interface Comparison {
  readonly federation: FederationUnderTest;
  readonly judge: ReturnType<typeof createDeferralJudge>;
  readonly planner: Planner;
  readonly operationSeed: string;
}

const operationsPerFederation = 8;
/** Each has other faults, and the same plan. */
const faultyRuns = 3;
const deferDirective = parse(
  'directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT',
);

export async function runDeferredDifferential({
  seed,
  cases,
  createTested = createExecutor,
  maxDifferences = 3,
}: DeferredDifferentialOptions): Promise<DeferredDifferentialReport> {
  const differences: string[] = [];
  const exercised = new Map<string, number>();
  const count = (kind: string, added = 1): void =>
    void exercised.set(kind, (exercised.get(kind) ?? 0) + added);
  const tally = { cases: 0, federations: 0, skipped: 0 };
  const isUnfinished = (): boolean => tally.cases < cases && differences.length < maxDifferences;

  while (isUnfinished()) {
    const federationSeed = `${seed}/${tally.federations + tally.skipped}`;
    const plain = createFederationUnderTest(federationSeed);
    if (plain === undefined) {
      tally.skipped += 1;
      continue;
    }
    tally.federations += 1;
    const apiSchema = extendSchema(plain.supergraph.apiSchema, deferDirective);
    const federation = { ...plain, supergraph: { ...plain.supergraph, apiSchema } };
    const judge = createDeferralJudge(plain.supergraph.apiSchema);
    const planner = createLocalPlanner(plain.supergraph);
    for (let index = 0; index < operationsPerFederation && isUnfinished(); index += 1) {
      const operationSeed = `${federationSeed}/${index}`;
      const generated = generateOperation(apiSchema, operationSeed, {
        isPlain: index % 5 === 0,
        isDeferring: true,
      });
      await compareOperation(generated, { federation, judge, planner, operationSeed });
    }
  }
  return { ...tally, differences, exercised };

  async function compareOperation(
    generated: GeneratedOperation,
    { federation, judge, planner, operationSeed }: Comparison,
  ): Promise<void> {
    const { operation, variables, text } = generated;
    const { supergraph } = federation;
    let transport = createFaultyTransport(federation, noScenario, operationSeed);
    const options: ExecutorOptions = {
      supergraph,
      planner,
      transport: { send: (request) => transport.send(request) },
      random: () => 0.5,
    };
    const without = createExecutor(options).prepare(operation);
    const bailouts = createRandom(`${operationSeed}/bailouts`);
    const executors = {
      fast: createTested({ ...options, isDeferring: true }).prepare(operation),
      slow: createExecutor({ ...options, isDeferring: true, path: 'slow' }).prepare(operation),
      bailing: createExecutor({
        ...options,
        isDeferring: true,
        watch: { mayUseFastPath: () => !bailouts.chance(0.3) },
      }).prepare(operation),
    };

    for (const { scenario, runSeed } of runsOf(operationSeed)) {
      tally.cases += 1;
      const note = (what: string, ...details: readonly unknown[]): void => {
        const shown = details.map((detail) => JSON.stringify(detail)).join('\n');
        differences.push(
          `${runSeed}, ${scenario.name}: ${what}\n${text}\n${JSON.stringify(variables)}\n${shown}`,
        );
      };
      const run = async (prepared: typeof without): Promise<ExecutionResult> => {
        transport = createFaultyTransport(federation, scenario, runSeed);
        return await prepared.run({ variables, signal: new AbortController().signal });
      };
      let whole: ExecutionResult;
      try {
        whole = await run(without);
      } catch (error) {
        if (error instanceof OperationError) {
          count('operations that cannot be planned');
          continue;
        }
        throw error;
      }
      const outcome = await readDeferred(await run(executors.fast));
      const slow = await readDeferred(await run(executors.slow));
      const bailing = await readDeferred(await run(executors.bailing));
      for (const [what, other] of [
        ['fast and slow path', slow],
        ['fast path with bail-outs and slow path', bailing],
      ] as const) {
        if (!isDeepStrictEqual(comparable(outcome), comparable(other))) {
          note(what, comparable(outcome), comparable(other));
        }
      }
      if (!checkEvents(outcome, note)) {
        continue;
      }
      const merged = mergedByApolloClient(outcome, operation.document);
      for (const [name, states] of Object.entries(merged)) {
        states.forEach((after, index) => {
          const change = index === 0 ? undefined : changeOf(states[index - 1], after, scenario.faultRate > 0);
          if (change !== undefined) {
            note(`${name}: delivered data changed`, change, outcome);
          }
        });
        if (whole.errors.length === 0 && scenario.faultRate === 0) {
          const expected: unknown = JSON.parse(whole.data);
          if (!isDeepStrictEqual(states.at(-1), expected)) {
            note(`${name}: merged parts and the whole`, outcome, states.at(-1), expected);
          }
          if (errorsIn(outcome).length > 0) {
            note('errors of parts only', errorsIn(outcome).map(describeError));
          }
        }
      }
      const parts = outcome.events.flatMap(({ announced }) => announced);
      count('fragments', parts.length);
      count('results in parts', parts.length > 0 ? 1 : 0);
      count('nested fragments', outcome.events.slice(1).flatMap(({ announced }) => announced).length);
      count(
        'fragments that are null',
        outcome.events.flatMap(({ completed }) => completed).filter(({ data }) => data === 'null').length,
      );
      if (scenario.name === 'sound' && whole.errors.length === 0 && !federation.isUntyped) {
        const { data } = await federation.askMonolith(
          { ...operation, document: withTypes(operation.document) },
          variables,
          scenario.data,
        );
        const { legacy, deduplicated } = await judge({
          text,
          operationName: operation.name,
          variables,
          data,
        });
        const delivered = parts.map(describePart);
        count('comparisons with graphql-js 17');
        // Here, nothing is deferred at the root of a mutation.
        const isMutation = text.startsWith('mutation');
        const isExpected = (part: string): boolean => !(isMutation && part.endsWith(' at '));
        // Of a fragment that is spread twice, it delivers the first only.
        const isSpreadTwice = /(\.\.\.F\d+).*\1\b/u.test(text);
        const adding = addingFragments(outcome, merged.alpha9).map(describePart);
        for (const [name, judged, required] of [
          ['legacy', legacy, delivered],
          // It leaves out fragments that add nothing to what was delivered before.
          ['deduplicating', deduplicated, adding],
        ] as const) {
          const expected = judged.filter(isExpected);
          const missing = expected.filter((part) => !delivered.includes(part));
          const needless = isSpreadTwice ? [] : required.filter((part) => !expected.includes(part));
          if (missing.length > 0 || needless.length > 0) {
            note(`graphql-js 17 (${name}) and tested`, { missing, needless }, judged, delivered);
          }
        }
        count('fragments that add nothing', delivered.length - adding.length);
      }
    }
  }
}

function runsOf(operationSeed: string): readonly { readonly scenario: Scenario; readonly runSeed: string }[] {
  return scenarios.flatMap((scenario) =>
    Array.from({ length: scenario.faultRate > 0 ? faultyRuns : 1 }, (_, index) => ({
      scenario,
      runSeed: index === 0 ? operationSeed : `${operationSeed}/${index}`,
    })),
  );
}

const noScenario: Scenario = {
  name: 'none',
  data: 'sound',
  faultRate: 0,
  hasDelays: false,
  isReformatted: false,
};

/** Checks that each announced fragment completes once, after its announcement, and that nulls have a reason. */
function checkEvents(
  outcome: DeferredOutcome,
  note: (what: string, ...details: readonly unknown[]) => void,
): boolean {
  const announced = new Set<object>();
  const completed = new Set<object>();
  let hasNull = false;
  let isInOrder = true;
  for (const event of outcome.events) {
    for (const { fragment, data } of event.completed) {
      if (!announced.has(fragment) || completed.has(fragment)) {
        note('a fragment that was not announced, or completed before', fragment);
        isInOrder = false;
      }
      completed.add(fragment);
      hasNull ||= data === 'null';
    }
    event.announced.forEach((fragment) => announced.add(fragment));
  }
  if (announced.size !== completed.size) {
    note('fragments that never complete', outcome);
  }
  if (hasNull && errorsIn(outcome).length === 0) {
    note('a fragment is null without an error', outcome);
  }
  return isInOrder;
}

function errorsIn({ first, events }: DeferredOutcome): ExecutionResult['errors'] {
  return [...first.errors, ...events.flatMap(({ completed }) => completed.flatMap(({ errors }) => errors))];
}

/** Which fragments complete together depends on the order of responses, not on the path. */
function comparable({ first, events }: DeferredOutcome): unknown {
  return {
    data: first.data,
    errors: first.errors.map(describeError).toSorted(),
    announced: events.map(({ announced }) => announced.map(describePart).toSorted()),
    completed: events.map(({ completed }) =>
      completed
        .map(
          ({ fragment, data, errors }) =>
            `${describePart(fragment)} ${data} ${errors.map(describeError).toSorted().join()}`,
        )
        .toSorted(),
    ),
  };
}
