// The queue alone, with a clock that stands still: the turns of a tenant far above its share beside one below it.
import { mock } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { FairQueue, Turn } from '../../src/connection/fair-queue.ts';
import { createFairQueue, noTenant } from '../../src/connection/fair-queue.ts';
import { createTenantShares } from '../../src/connection/tenant-shares.ts';

describe('A fair queue of 10, of which a tenant may have 8', () => {
  let queue: FairQueue;
  let begun: Turn[];
  let loopBusyMs: number;
  let nowMs: number;
  beforeEach(() => {
    nowMs = 0;
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => nowMs);
    loopBusyMs = 0;
    queue = createFairQueue(
      10,
      8,
      createTenantShares(() => loopBusyMs),
    );
    begun = [];
  });
  afterEach(() => {
    mock.reset();
  });

  async function ask(tenantId: string, times = 1): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      void queue.take(tenantId).then((turn) => begun.push(turn));
    }
    await pass(0);
  }

  /** Ends the oldest turns of a tenant, each of which has kept the event loop busy for a while. */
  async function end(tenantId: string, times = 1, { busyMs = 1 } = {}): Promise<void> {
    const turns = begun.filter((turn) => turn.tenantId === tenantId).slice(0, times);
    expect(turns).toHaveLength(times);
    begun = begun.filter((turn) => !turns.includes(turn));
    for (const turn of turns) {
      loopBusyMs += busyMs;
      queue.release(turn);
    }
    await pass(0);
  }

  async function pass(ms: number): Promise<void> {
    await immediate();
    for (let passedMs = 0; passedMs < ms; passedMs += 1) {
      nowMs += 1;
      mock.timers.tick(1);
      await immediate();
    }
  }
  const turnsOf = (tenantId: string): number => begun.filter((turn) => turn.tenantId === tenantId).length;

  /** Two tenants are active, and one has used a connection for long. */
  async function useFarAboveShare(): Promise<void> {
    await ask('noisy', 8);
    await pass(10);
    await ask('quiet');
    await end('quiet');
    await end('noisy', 8);
  }

  it('gives a tenant that is alone all that it may have, at once', async () => {
    await ask('noisy', 40);
    expect(turnsOf('noisy')).toBe(8);
    await pass(10);
    await end('noisy', 5);
    expect(turnsOf('noisy')).toBe(8);
  });

  it('gives a tenant all that it may have beside calls that are nobody’s', async () => {
    await ask('noisy', 40);
    await pass(10);
    await ask(noTenant);
    await end('noisy', 5);
    expect(turnsOf('noisy')).toBe(8);
  });

  it('begins long turns of a tenant above its share so that they take a tenth of the event loop', async () => {
    await useFarAboveShare();
    await ask('noisy', 40);
    expect(turnsOf('noisy')).toBe(1);
    await pass(8);
    expect(turnsOf('noisy')).toBe(1);
    await pass(3);
    expect(turnsOf('noisy')).toBe(2);
    await pass(25);
    expect(turnsOf('noisy')).toBe(4);
  });

  it('begins short turns of a tenant above its share in half of the event loop’s time', async () => {
    await ask('noisy', 8);
    await pass(10);
    await ask('quiet');
    await end('quiet', 1, { busyMs: 0.1 });
    await end('noisy', 8, { busyMs: 0.1 });
    let ended = 0;
    await ask('noisy', 200);
    for (let ms = 0; ms < 10; ms += 1) {
      ended += turnsOf('noisy');
      await end('noisy', turnsOf('noisy'), { busyMs: 0.1 });
      await pass(1);
    }
    expect(ended).toBeGreaterThan(40);
    expect(ended).toBeLessThan(65);
  });

  it('begins a turn of a tenant below its share at once, whatever another waits for', async () => {
    await useFarAboveShare();
    await ask('noisy', 40);
    await ask('quiet', 2);
    expect(turnsOf('quiet')).toBe(2);
  });

  it('begins turns while others of their tenant do not end, so that no lock stops a tenant', async () => {
    await useFarAboveShare();
    await ask('noisy', 8);
    await pass(100);
    expect(turnsOf('noisy')).toBe(8);
  });

  it('does not hold up turns that hardly take time of the event loop', async () => {
    await ask('noisy', 8);
    await pass(10);
    await ask('quiet');
    await end('quiet', 1, { busyMs: 0.01 });
    await end('noisy', 8, { busyMs: 0.01 });
    await ask('noisy', 8);
    expect(turnsOf('noisy')).toBe(8);
  });

  it('gives a tenant all that it may have again, a second after others last asked', async () => {
    await useFarAboveShare();
    await pass(1001);
    await ask('noisy', 40);
    expect(turnsOf('noisy')).toBe(8);
  });

  it('does not hold up two tenants that use it alike', async () => {
    await ask('one', 5);
    await ask('other', 5);
    await pass(20);
    await end('one', 5);
    await end('other', 5);
    await ask('one', 5);
    await ask('other', 5);
    expect([turnsOf('one'), turnsOf('other')]).toEqual([5, 5]);
  });
});
