import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';
import { parse, print } from 'graphql';

import type { Planner, PlannerThreadOptions, Supergraph } from '../src/index.ts';
import {
  OperationError,
  PlannerBusyError,
  createExecutor,
  createLocalPlanner,
  createPlannerThread,
  loadSupergraph,
} from '../src/index.ts';
import { composeSdl } from './support/federation.ts';
import { sdlOf } from './support/stub-subgraph.ts';

const small = '{ things { id } }';
/** The most turns of the event loop around a planning. A thread that does not plan has about one each millisecond. */
const fewTurns = 2;
/** Some 8000 leaves, of which each subgraph has some. */
const explodingText = nested(10, 8);

const plannerThreadModule = join(import.meta.dirname, '../src/planning/planner-thread.ts');

const planners: Planner[] = [];

afterEach(() => Promise.all(planners.splice(0).map((planner) => planner.close())));

describe('createPlannerThread', () => {
  it('returns the plans that the planner of this thread returns', async () => {
    const supergraph = manyPaths(2);
    const text = nested(3, 2);

    expect(await startPlanner(supergraph).plan(text)).toEqual({
      ...(await createLocalPlanner(supergraph).plan(text)),
      durationMs: expect.any(Number),
    });
  });

  it('rejects an operation that takes too long, and plans the next ones', async () => {
    // Far less than any machine needs for the first operation. A busy one may need more for the next one as well.
    const planner = startPlanner(manyPaths(8), { timeLimitMs: 300 });

    const [exploding] = await Promise.all([planner.plan(explodingText), planner.plan(small)]);

    expect(exploding).toHaveProperty('refusal', expect.stringContaining('takes too long to plan'));
    await eventually(async () => expect(await planner.plan(small)).toHaveProperty('node'));
  });

  it('rejects an operation whose plan takes too much memory, blocks no other work, and plans the next ones', async () => {
    const planner = startPlanner(manyPaths(8), { memoryLimitMegabytes: 24, timeLimitMs: 60_000 });
    let turns = 0;
    const timer = setInterval(() => void (turns += 1), 1);

    const [exploding, behind] = await Promise.all([planner.plan(explodingText), planner.plan(small)]);
    clearInterval(timer);

    expect(exploding).toEqual({ refusal: expect.stringContaining('takes too much memory to plan') });
    expect(behind).toHaveProperty('node');
    expect(await planner.plan(small)).toHaveProperty('node');
    expect(turns).toBeGreaterThan(fewTurns);
  });

  it('blocks no other work while it plans', async () => {
    const planner = startPlanner(manyPaths(8), { timeLimitMs: 300 });
    let turns = 0;
    const timer = setInterval(() => void (turns += 1), 1);

    const result = await planner.plan(explodingText);
    clearInterval(timer);

    expect(result).toHaveProperty('refusal');
    expect(turns).toBeGreaterThan(fewTurns);
  });

  it('rejects an operation when too many wait already', async () => {
    const planner = startPlanner(manyPaths(2), { maxWaiting: 1 });

    const [first, second, third] = await Promise.allSettled(
      [small, small, small].map((text) => planner.plan(text)),
    );

    expect([first?.status, second?.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(third).toEqual({ status: 'rejected', reason: new PlannerBusyError() });
  });

  it("plans the operations of others between one caller's slow ones, of which it plans one at a time", async () => {
    const planner = startPlanner(manyPaths(8), { timeLimitMs: 6000, timeoutMs: 1 });
    const ended: string[] = [];
    const plan = async (text: string, caller: string): Promise<void> => {
      await planner.plan(text, [], caller);
      ended.push(caller);
    };

    const slow = [plan(explodingText, 'slow'), plan(small, 'slow')];
    await Promise.all([plan(small, 'one'), plan(small, 'other')]);

    expect(ended).toEqual(['one', 'other']);
    await Promise.all(slow);
  });

  it('plans the waiting operations when it is closed, and later ones', async () => {
    const planner = startPlanner(manyPaths(2));

    const waiting = planner.plan(small);
    await planner.close();

    expect(await waiting).toHaveProperty('node');
    expect(await planner.plan(small)).toHaveProperty('node');
  });

  it('ends an idle thread, and starts another for the next operation', async () => {
    const program = `
      import { once } from 'node:events';
      import process from 'node:process';
      import { parse } from 'graphql';
      import { createPlannerThread } from ${JSON.stringify(plannerThreadModule)};

      const plannerSchema = parse(${JSON.stringify(print(manyPaths(1).plannerSchema))});
      const started = once(process, 'worker');
      const planner = createPlannerThread({ plannerSchema }, { maxIdleMs: 1 });
      const [thread] = await started;
      const ended = once(thread, 'exit');
      // An idle thread does not keep the process.
      setInterval(() => {}, 1000);
      const results = [await planner.plan('${small}')];
      await ended;
      results.push(await planner.plan('${small}'));
      console.log(results.every((result) => 'node' in result));
      process.exit();
    `;
    const args = ['--conditions=@meridian/source', '--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
    expect(stdout).toBe('true\n');
  });
});

describe('The executor with a planner thread', () => {
  it('rejects an operation that takes too long to plan, and does not plan it again', async () => {
    const supergraph = manyPaths(8);
    const thread = startPlanner(supergraph, { timeLimitMs: 200 });
    let plannedCount = 0;
    const planner: Planner = {
      plan: (...task) => thread.plan(...task).finally(() => (plannedCount += 1)),
      close: () => thread.close(),
    };
    const executor = createExecutor({ supergraph, planner, transport: nothing });
    const operation = executor.prepare({ document: parse(explodingText) });

    await expect(operation.run(run())).rejects.toThrow(OperationError);
    await expect(operation.run(run())).rejects.toThrow('takes too long to plan');
    expect(plannedCount).toBe(1);
  });

  it('rejects with the reason of the signal while an operation is planned', async () => {
    const supergraph = manyPaths(8);
    const planner = startPlanner(supergraph, { timeLimitMs: 1000 });
    const executor = createExecutor({ supergraph, planner, transport: nothing });
    const controller = new AbortController();
    const reason = new Error('the client has gone');

    const responded = executor.prepare({ document: parse(explodingText) }).run(run(controller.signal));
    controller.abort(reason);

    await expect(responded).rejects.toBe(reason);
  });
});

const nothing = { send: () => Promise.reject(new Error('Nothing is sent')) };

function startPlanner(supergraph: Supergraph, options: PlannerThreadOptions = {}): Planner {
  const planner = createPlannerThread(supergraph, options);
  planners.push(planner);
  return planner;
}

function run(signal = new AbortController().signal) {
  return { variables: {}, headersFor: () => ({}), signal };
}

/** A supergraph in which each field can be fetched from each subgraph: the plans multiply. */
function manyPaths(subgraphs: number): Supergraph {
  const fields = Array.from({ length: 8 }, (_, index) => `f${index}: Thing @shareable`).join(' ');
  return loadSupergraph(
    composeSdl(
      Array.from({ length: subgraphs }, (_, index) => ({
        name: `s${index}`,
        sdl: sdlOf({
          sdl: `
            type Query { things: [Thing!]! @shareable }
            type Thing @key(fields: "id") { id: ID! ${fields} own${index}: Int }
          `,
          resolvers: {},
        }),
        routingUrl: `http://s${index}`,
      })),
    ),
  );
}

/** An operation with so many fields at each level, whose leaves are in one subgraph each. */
function nested(levels: number, width: number): string {
  const level = (depth: number): string =>
    depth === 0
      ? Array.from({ length: width }, (_, index) => `own${index}`).join(' ')
      : `f0 { ${level(depth - 1)} } f1 { ${level(depth - 1)} } own0`;
  return `{ things { ${level(levels)} } }`;
}
