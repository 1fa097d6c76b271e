import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';
import { parse, print } from 'graphql';

import type { Planner, PlannerThreadOptions, Supergraph } from '../../src/index.ts';
import {
  OperationError,
  PlannerBusyError,
  createExecutor,
  createLocalPlanner,
  createPlannerThread,
} from '../../src/index.ts';
import { supergraphOf } from '../support/federation.ts';

const small = '{ things { id } }';
/** The most turns of the event loop around a planning. A thread that does not plan has about one each millisecond. */
const fewTurns = 2;
/** Some 8000 leaves, of which each subgraph has some. */
const explodingText = nested(10, 8);

const plannerThreadModule = join(import.meta.dirname, '../../src/planning/planner-thread.ts');

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

    expect(exploding).toHaveProperty('rejection', expect.stringContaining('takes too long to plan'));
    await eventually(async () => expect(await planner.plan(small)).toHaveProperty('node'));
  });

  it('rejects an operation whose plan takes too much memory, blocks no other work, and plans the next ones', async () => {
    const planner = startPlanner(manyPaths(8), { memoryLimitMegabytes: 24, timeLimitMs: 60_000 });
    let turns = 0;
    const timer = setInterval(() => void (turns += 1), 1);

    const [exploding, next] = await Promise.all([planner.plan(explodingText), planner.plan(small)]);
    clearInterval(timer);

    expect(exploding).toEqual({ rejection: expect.stringContaining('takes too much memory to plan') });
    expect(next).toHaveProperty('node');
    expect(await planner.plan(small)).toHaveProperty('node');
    expect(turns).toBeGreaterThan(fewTurns);
  });

  it('blocks no other work while it plans', async () => {
    const planner = startPlanner(manyPaths(8), { timeLimitMs: 300 });
    let turns = 0;
    const timer = setInterval(() => void (turns += 1), 1);

    const result = await planner.plan(explodingText);
    clearInterval(timer);

    expect(result).toHaveProperty('rejection');
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
    expect(await outputOf(program)).toBe('true\n');
  });
});

describe('createPlannerThread while the system starts no threads', () => {
  it('rejects operations as ones to try again, and plans once threads can be started', async () => {
    const program = `
      ${withoutThreads}
      setIsShort(true);
      // There is no second thread.
      const planner = createPlannerThread({ plannerSchema }, { maxIdleMs: 1, timeoutMs: 60_000 });
      // An idle thread does not keep the process.
      setInterval(() => {}, 1000);
      const planBoth = () => Promise.allSettled(['one', 'other'].map((caller) => planner.plan('${small}', [], caller)));
      const outcomes = [await planBoth()];
      setIsShort(false);
      const ended = once(process, 'worker').then(([thread]) => once(thread, 'exit'));
      outcomes.push(await planBoth());
      await ended;
      setIsShort(true);
      outcomes.push(await planBoth());
      setIsShort(false);
      outcomes.push(await planBoth());
      console.log(outcomes.map((both) => both.map(nameOf).join(' ')).join('; '));
      process.exit();
    `;

    const busy = 'PlannerBusyError ERR_WORKER_INIT_FAILED';
    expect(await outputOf(program)).toBe(`${busy} ${busy}; plan plan; ${busy} ${busy}; plan plan\n`);
  });

  it('plans an operation on the first thread when the second one cannot be started', async () => {
    const program = `
      ${withoutThreads}
      const planner = createPlannerThread({ plannerSchema }, { timeoutMs: 1 });
      setIsShort(true);
      const callers = ['one', 'other', 'third'];
      const outcomes = await Promise.allSettled(callers.map((caller) => planner.plan('${small}', [], caller)));
      console.log(failureCount() > 0, outcomes.map(nameOf).join(' '));
      process.exit();
    `;

    expect(await outputOf(program)).toBe('true plan plan plan\n');
  });

  it('rejects an operation as one to try again when its thread fails before it runs, without a file descriptor', async () => {
    const program = `
      ${withoutThreads}
      const { closeSync, openSync } = await import('node:fs');
      const openFiles = [];
      const openAll = () => {
        try {
          for (;;) {
            openFiles.push(openSync(${JSON.stringify(plannerThreadModule)}));
          }
        } catch {}
      };
      openAll();
      const planner = createPlannerThread({ plannerSchema });
      const outcomes = await Promise.allSettled([planner.plan('${small}')]);
      openFiles.forEach((file) => closeSync(file));
      outcomes.push(...(await Promise.allSettled([planner.plan('${small}')])));
      console.log(outcomes.map(nameOf).join('; '));
      process.exit();
    `;

    const output = await outputOf(program, ['/bin/sh', '-c', 'ulimit -n 256; exec "$0" "$@"']);
    expect(output).toBe('PlannerBusyError ERR_WORKER_INIT_FAILED; plan\n');
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

/**
 * The start of a program. A limit on threads, such as a container's, cannot be lowered on every machine, so the error
 * that Node throws then is thrown in its place.
 */
const withoutThreads = `
  import { once } from 'node:events';
  import { syncBuiltinESMExports } from 'node:module';
  import process from 'node:process';
  import threads from 'node:worker_threads';
  import { parse } from 'graphql';

  let isShort = false;
  let failures = 0;
  threads.Worker = class extends threads.Worker {
    constructor(...options) {
      if (isShort) {
        failures += 1;
        throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' });
      }
      super(...options);
    }
  };
  syncBuiltinESMExports();
  const { createPlannerThread } = await import(${JSON.stringify(plannerThreadModule)});
  const setIsShort = (value) => void (isShort = value);
  const failureCount = () => failures;
  const plannerSchema = parse(${JSON.stringify(print(manyPaths(1).plannerSchema))});
  const nameOf = ({ value, reason }) =>
    reason === undefined ? Object.keys(value).includes('node') && 'plan' : reason.name + ' ' + reason.cause?.code;
`;

/** Runs a program in a process of its own, which another one starts, if given. Returns what it prints. */
async function outputOf(
  program: string,
  [starter, ...starterArguments]: readonly string[] = [],
): Promise<string> {
  const args = ['--conditions=@meridian/source', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(
    starter ?? process.execPath,
    starter === undefined ? args : [...starterArguments, process.execPath, ...args],
    { cwd: import.meta.dirname },
  );
  return stdout;
}

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
  const sdlOfOne = (index: number): string => `
    type Query { things: [Thing!]! @shareable }
    type Thing @key(fields: "id") { id: ID! ${fields} own${index}: Int }
  `;
  return supergraphOf(
    Object.fromEntries(Array.from({ length: subgraphs }, (_, index) => [`s${index}`, sdlOfOne(index)])),
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
