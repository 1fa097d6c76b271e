import { describe, expect, it } from '@jest/globals';
import { createLocalBudget } from '@meridian/shared-state';

describe('a local budget', () => {
  it('takes an amount of what is left, or nothing', () => {
    const { budget } = started(10);
    expect([
      budget.take('a', 9),
      budget.take('a', 2),
      budget.take('a', 1),
      budget.take('a', 1),
    ]).toMatchObject([{ isTaken: true }, { isTaken: false }, { isTaken: true }, { isTaken: false }]);
  });

  it('has the whole capacity again when the interval is over, and says how long that is', () => {
    const { budget, clock } = started(1);
    budget.take('a', 1);
    clock.ms += 999;
    expect(budget.take('a', 1)).toEqual({ isTaken: false, waitMs: 1 });
    clock.ms += 1;
    expect(budget.take('a', 1)).toEqual({ isTaken: true });
  });

  it('is one for each key', () => {
    const { budget } = started(1);
    expect([budget.take('a', 1), budget.take('b', 1)]).toEqual([{ isTaken: true }, { isTaken: true }]);
  });

  it('has again what was given back, but not in the next interval', () => {
    const { budget, clock } = started(10);
    budget.take('a', 10);
    budget.giveBack('a', 4);
    expect([budget.take('a', 4), budget.take('a', 1)]).toMatchObject([{ isTaken: true }, { isTaken: false }]);
    clock.ms += 1000;
    budget.giveBack('a', 4);
    expect([budget.take('a', 10), budget.take('a', 1)]).toMatchObject([
      { isTaken: true },
      { isTaken: false },
    ]);
  });

  it('forgets keys whose interval is over, so that there can be any number of them', () => {
    const { budget, clock } = started(1);
    for (let count = 0; count < 30_000; count += 1) {
      budget.take(`tenant ${count}`, 1);
      clock.ms += 1;
    }
    expect(budget.take('tenant 29999', 1)).toMatchObject({ isTaken: false });
    expect(budget.take('tenant 0', 1)).toMatchObject({ isTaken: true });
  });
});

function started(capacity: number): {
  budget: ReturnType<typeof createLocalBudget>;
  clock: { ms: number };
} {
  const clock = { ms: 0 };
  return { clock, budget: createLocalBudget({ capacity, intervalMs: 1000 }, () => clock.ms) };
}
