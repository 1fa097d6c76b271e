import { parse } from 'graphql';

import type {
  ExecutionError,
  Executor,
  ExecutorOptions,
  PreparedOperation,
  SubgraphTransport,
} from '../../src/index.ts';
import { createExecutor, encodeResponse } from '../../src/index.ts';
import type { SubgraphCall } from '../differential/federation-under-test.ts';
import { createRandom } from '@meridian/testing';
import { createReferenceExecutor } from '../support/reference/reference-executor.ts';
import { mutateResponse } from './mutate-response.ts';
import type { Tenant } from './tenants.ts';
import { createTenant, operations, supergraph } from './tenants.ts';

export interface MutationReport {
  readonly cases: number;
  /** The number of runs that left the fast path half-way. */
  readonly plainCount: number;
  /**
   * The number of cases that sent different subrequests, because equal values were written in two ways. Their responses
   * were mutated differently, so they are not compared.
   */
  readonly otherRequests: number;
  /** Each with its case, from which it can be had again. */
  readonly differences: readonly string[];
}

interface Outcome {
  /** The whole of what a client gets. */
  readonly bytes: Buffer;
  readonly data: string;
  readonly errors: string;
  readonly requests: string;
}

/** One run of one executor. */
interface MutatedRun {
  readonly tenant: Tenant;
  /** Of a run: what is done to an answer depends on it and on the request. */
  readonly seed: string;
  readonly mutationRate: number;
  readonly requests: Set<string>;
  readonly responses: Buffer[];
  hasMutatedEntities: boolean;
}

/** So many runs hold tapes at the same time. */
const concurrency = 12;
const marks = ['ALICE', 'BOB'] as const;

/**
 * Runs operations for two tenants at the same time, with answers that were changed on their way, and checks the
 * executor against the reference. Nothing of one tenant may get into an answer to the other that no subgraph has put
 * there.
 */
export async function runMutated({
  seed,
  cases,
  create = createExecutor,
}: {
  readonly seed: string;
  readonly cases: number;
  readonly create?: (options: ExecutorOptions) => Executor;
}): Promise<MutationReport> {
  const [alice, bob] = [createTenant(marks[0]), createTenant(marks[1])];
  const runs = new Map<string, MutatedRun>();
  const transport = createMutatingTransport(runs, [alice, bob]);
  let plainCount = 0;
  const watch = { onSlowPath: () => void (plainCount += 1) };
  const tested = create({ supergraph, transport, watch });
  const reference = createReferenceExecutor({ supergraph, transport });
  const prepared = operations.map((text) => {
    const document = parse(text);
    return { text, tested: tested.prepare({ document }), reference: reference.prepare({ document }) };
  });
  const differences: string[] = [];
  let otherRequests = 0;

  const outcomeOf = async (operation: PreparedOperation, id: string, run: MutatedRun): Promise<Outcome> => {
    runs.set(id, run);
    const result = await operation.run({
      variables: {},
      headersFor: () => ({ run: id }),
      signal: new AbortController().signal,
    });
    runs.delete(id);
    const bytes = encodeResponse(result);
    return {
      bytes,
      data: JSON.stringify(JSON.parse(result.data)),
      errors: result.errors.map(describeError).toSorted().join('\n'),
      requests: [...run.requests].toSorted().join('\n'),
    };
  };
  const runCase = async (number: number): Promise<void> => {
    const caseSeed = `${seed} ${number}`;
    const random = createRandom(caseSeed);
    const isAlice = random.chance(0.5);
    const operation = random.pick(prepared);
    const mutationRate = random.pick([0.2, 0.5, 1]);
    const start = (): MutatedRun => ({
      tenant: isAlice ? alice : bob,
      seed: caseSeed,
      mutationRate,
      requests: new Set(),
      responses: [],
      hasMutatedEntities: false,
    });
    const [run, plainRun] = [start(), start()];
    try {
      const [actual, expected] = await Promise.all([
        outcomeOf(operation.tested, `${number}`, run),
        outcomeOf(operation.reference, `${number} by the reference`, plainRun),
      ]);
      const foreign = isAlice ? marks[1] : marks[0];
      if (actual.bytes.includes(foreign) && !run.responses.some((response) => response.includes(foreign))) {
        differences.push(`${caseSeed}: an answer has what is another tenant's\n${actual.bytes.toString()}`);
      }
      const hadEqualRequests = actual.requests === expected.requests;
      if (!hadEqualRequests && (run.hasMutatedEntities || plainRun.hasMutatedEntities)) {
        otherRequests += 1;
        return;
      }
      for (const part of ['data', 'errors'] as const) {
        if (actual[part] !== expected[part]) {
          differences.push(
            [`${caseSeed}: ${operation.text}`, actual[part], expected[part], ...run.responses].join('\n'),
          );
        }
      }
    } catch (error) {
      differences.push(
        `${caseSeed}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
  };

  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < cases) {
        const number = next;
        next += 1;
        await runCase(number);
      }
    }),
  );
  return { cases, plainCount, otherRequests, differences };
}

/** Gives equal requests of a case equal responses, from each executor, at different times. */
function createMutatingTransport(
  runs: ReadonlyMap<string, MutatedRun>,
  [alice, bob]: readonly [Tenant, Tenant],
): SubgraphTransport {
  return {
    async send({ subgraph, body, headers }) {
      const run = runs.get(headers['run'] ?? '');
      if (run === undefined) {
        throw new Error('There is no such run');
      }
      const { query, variables = {} } = JSON.parse(body) as SubgraphCall;
      const request = JSON.stringify([subgraph, query, variables]);
      run.requests.add(request);
      const { tenant } = run;
      const sound = await tenant.response(subgraph, body);
      const other = Buffer.from(await (tenant === alice ? bob : alice).response(subgraph, body));
      const random = createRandom(`${run.seed} ${request}`);
      const response = Buffer.from(random.chance(0.7) ? sound : indented(sound));
      for (let turns = random.below(4); turns > 0; turns -= 1) {
        await new Promise((resolve) => void setImmediate(resolve));
      }
      const isMutated = random.chance(run.mutationRate);
      const mutated = isMutated ? mutateResponse(response, random, other) : response;
      run.hasMutatedEntities ||= isMutated && 'representations' in variables;
      run.responses.push(mutated);
      return { text: random.chance(0.8) ? mutated : mutated.toString(), cacheControl: undefined };
    },
  };
}

function indented(response: string): string {
  return JSON.stringify(JSON.parse(response), null, 1);
}

function describeError(error: ExecutionError): string {
  const path = (error.path ?? ['no path']).join('.');
  return error.kind === 'subrequest' ? `${path} ${error.code}` : `${path} ${error.kind}`;
}
