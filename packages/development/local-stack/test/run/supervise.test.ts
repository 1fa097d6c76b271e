import { once } from 'node:events';

import { describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { supervise } from '../../src/run/supervise.ts';
import type { Health, Running, Supervisor } from '../../src/run/supervise.ts';

/** A thing whose life a test holds in its hands. */
function createPuppet() {
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  const running: Running = {
    ready: ready.promise,
    ended: ended.promise,
    async stop() {
      ended.resolve('ended');
      await ended.promise;
    },
    kill: () => ended.resolve('was killed by SIGKILL'),
  };
  return { running, becomeReady: ready.resolve, end: ended.resolve };
}

type Puppet = ReturnType<typeof createPuppet>;

/** Supervises puppets, and hands out each as it is started. */
function stage(): {
  supervisor: Supervisor;
  healths: Health[];
  next: () => Promise<Puppet>;
  failToStart: (message: string) => void;
} {
  const healths: Health[] = [];
  const started: Puppet[] = [];
  const waiting: ((puppet: Puppet) => void)[] = [];
  const faults: string[] = [];
  const supervisor = supervise({
    async start() {
      const fault = faults.shift();
      if (fault !== undefined) {
        throw new Error(fault);
      }
      const puppet = createPuppet();
      (waiting.shift() ?? ((late) => started.push(late)))(puppet);
      return await Promise.resolve(puppet.running);
    },
    onHealth: (health) => healths.push(health),
    failure: (how) => new Error(`it ${how}`),
    pause: () => Promise.resolve(),
  });
  return {
    supervisor,
    healths,
    next: async () => started.shift() ?? (await new Promise((resolve) => waiting.push(resolve))),
    failToStart: (message) => faults.push(message),
  };
}

describe('supervise', () => {
  it('resolves when the process is ready', async () => {
    const { supervisor, healths, next } = stage();
    (await next()).becomeReady();
    await supervisor.started;
    expect(healths).toEqual([{ is: 'starting' }, { is: 'ready' }]);
  });

  it('rejects when the process ends before it is ready', async () => {
    const { supervisor, next } = stage();
    (await next()).end('ended with exit code 1');
    await expect(supervisor.started).rejects.toThrow('it ended with exit code 1');
  });

  it('restarts a process that has ended, after pauses that double up to ten seconds', async () => {
    const { supervisor, healths, next, failToStart } = stage();
    const first = await next();
    first.becomeReady();
    await supervisor.started;
    failToStart('no port');
    first.end('was killed by SIGKILL');
    for (let failure = 1; failure <= 5; failure += 1) {
      (await next()).end('ended with exit code 1');
    }
    (await next()).becomeReady();
    const downs = healths.filter((health) => health.is === 'down');
    expect(downs.slice(0, 3)).toEqual([
      { is: 'down', how: 'was killed by SIGKILL', nextTryInMs: 500 },
      { is: 'down', how: 'does not start: no port', nextTryInMs: 1000 },
      { is: 'down', how: 'ended with exit code 1', nextTryInMs: 2000 },
    ]);
    expect(downs.map(({ nextTryInMs }) => nextTryInMs)).toEqual([
      500, 1000, 2000, 4000, 8000, 10_000, 10_000,
    ]);
  });

  it('continues with a successor at once, which does not count as a failure', async () => {
    const { supervisor, healths, next } = stage();
    (await next()).becomeReady();
    await supervisor.started;
    const successor = createPuppet();
    successor.becomeReady();
    await supervisor.replace(successor.running);
    successor.end('ended with exit code 1');
    (await next()).becomeReady();
    expect(healths.filter((health) => health.is === 'down')).toEqual([
      { is: 'down', how: 'ended with exit code 1', nextTryInMs: 500 },
    ]);
  });

  it('continues with a successor instead of a process that has ended, or is starting', async () => {
    const pauses: AbortSignal[] = [];
    const starts: PromiseWithResolvers<Running>[] = [];
    const supervisor = supervise({
      start: () => {
        const start = Promise.withResolvers<Running>();
        starts.push(start);
        return start.promise;
      },
      onHealth: () => undefined,
      failure: (how) => new Error(how),
      // A pause without an end, but for the first two.
      pause: (_, signal) => {
        pauses.push(signal);
        return pauses.length <= 2 ? Promise.resolve() : once(signal, 'abort').then(() => undefined);
      },
    });
    const [first, second, third, late] = [createPuppet(), createPuppet(), createPuppet(), createPuppet()];
    first.becomeReady();
    starts[0]?.resolve(first.running);
    await supervisor.started;
    first.end('was killed by SIGKILL');
    await eventually(() => expect(starts).toHaveLength(2));
    second.becomeReady();
    await supervisor.replace(second.running);
    starts[1]?.resolve(late.running);
    expect(await late.running.ended).toBe('ended');
    // It is the current process: its end leads to the next start.
    second.end('was killed by SIGKILL');
    await eventually(() => expect(starts).toHaveLength(3));
    starts[2]?.reject(new Error('no port'));
    await eventually(() => expect(pauses).toHaveLength(3));
    third.becomeReady();
    await supervisor.replace(third.running);
    expect(pauses.at(-1)?.aborted).toBe(true);
    await supervisor.stop();
    expect(await third.running.ended).toBe('ended');
    expect(starts).toHaveLength(3);
  });

  it('stops the process, and does not restart it', async () => {
    const { supervisor, healths, next } = stage();
    (await next()).becomeReady();
    await supervisor.started;
    await Promise.all([supervisor.stop(), supervisor.stop()]);
    expect(healths).toEqual([{ is: 'starting' }, { is: 'ready' }, { is: 'stopping' }, { is: 'stopped' }]);
  });

  it('stops a process that is starting', async () => {
    const { supervisor, healths, next } = stage();
    await next();
    await supervisor.stop();
    await expect(supervisor.started).rejects.toThrow('it ended');
    expect(healths.at(-1)).toEqual({ is: 'stopped' });
  });
});
