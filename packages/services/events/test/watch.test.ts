import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';
import { StopController } from '@meridian/cancellation';
import { createEventWatch } from '@meridian/events';
import type {
  Changes,
  EventFilter,
  EventStore,
  EventWatch,
  LoggedEvent,
  LogPosition,
} from '@meridian/events';
import { caseCount, createRandom } from '@meridian/testing';
import type { Random } from '@meridian/testing';

/** The logs of tenants, as slow as PostgreSQL, and as it fails. */
class MemoryLogs implements EventStore {
  readonly #logs = new Map<string, LoggedEvent[]>();
  readonly #random: Random;
  failureShare = 0;
  /** The readings under way. */
  readings = 0;
  maxReadings = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  of(tenantId: string): LoggedEvent[] {
    const log = this.#logs.get(tenantId) ?? [];
    this.#logs.set(tenantId, log);
    return log;
  }

  append(tenantId: string, type: string, dataLength = 10): void {
    const log = this.of(tenantId);
    const position = BigInt(log.length + 1);
    log.push({
      id: String(position),
      type,
      subject: `/things/${tenantId}`,
      time: '',
      data: 'x'.repeat(dataLength),
      actor: null,
      at: { position, period: 1 },
    });
  }

  readonly list: EventStore['list'] = async (tenantId, { after, limit, type, subject }) => {
    await this.#respond();
    const events: LoggedEvent[] = [];
    let end = after;
    // Passes a few over in one call, as the function of the database passes 10000.
    for (const event of this.of(tenantId).slice(Number(after.position), Number(after.position) + 130)) {
      end = event.at;
      if (
        (type === undefined || event.type === type) &&
        (subject === undefined || event.subject === subject)
      ) {
        events.push(event);
      }
      if (events.length === limit) {
        break;
      }
    }
    await this.#respond();
    return { events, end };
  };

  readonly end: EventStore['end'] = async (tenantId) => {
    await this.#respond();
    return this.of(tenantId).at(-1)?.at ?? start;
  };

  async #respond(): Promise<void> {
    this.readings += 1;
    this.maxReadings = Math.max(this.maxReadings, this.readings);
    await pass(this.#random.below(4));
    this.readings -= 1;
    if (this.#random.chance(this.failureShare)) {
      throw new Error('the store is away');
    }
  }
}

const start: LogPosition = { position: 0n, period: 1 };
const types = ['a', 'b'] as const;

function localChanges(): Changes {
  const listeners: ((tenantIds: readonly string[] | undefined) => void)[] = [];
  return {
    tell: (tenantId) => listeners.forEach((listener) => listener([tenantId])),
    listen: (listener) => listeners.push(listener),
    isHearing: true,
    stopListening: () => undefined,
  };
}

interface Watching {
  readonly logs: MemoryLogs;
  readonly changes: Changes;
  readonly watch: EventWatch;
  readonly stopping: StopController;
}

function startWatch(random: Random): Watching {
  const logs = new MemoryLogs(random);
  const changes = localChanges();
  const stopping = new StopController();
  const logger = { info: () => undefined, warn: () => undefined };
  return { logs, changes, stopping, watch: createEventWatch({ store: logs, changes, stopping, logger }) };
}

async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await nextTurn();
  }
}

const isOf = ({ type }: EventFilter, event: LoggedEvent): boolean =>
  type === undefined || event.type === type;

describe('A reader of a log that grows', () => {
  it.each(Array.from({ length: caseCount(200) }, (_, seed) => seed))(
    'has every event after its place, in order and once, at any pace (seed %i)',
    async (seed) => {
      const random = createRandom(`watch ${seed}`);
      const { logs, changes, watch, stopping } = startWatch(random);
      const tenants = ['acme', 'globex'];
      const total = random.pick([20, 150, 500]);
      const writing = { isOver: false };
      const write = async (): Promise<void> => {
        for (let written = 0; written < total; written += 1) {
          const tenantId = random.pick(tenants);
          // Some so long that the tail keeps only few.
          logs.append(tenantId, random.pick(types), random.pick([10, 10, 10, 5000]));
          if (random.chance(0.8)) {
            changes.tell(tenantId);
          }
          if (random.chance(0.3)) {
            await nextTurn();
          }
        }
        writing.isOver = true;
        tenants.forEach((tenantId) => changes.tell(tenantId));
      };
      const follow = async (): Promise<void> => {
        await pass(random.below(60));
        const tenantId = random.pick(tenants);
        const filter: EventFilter = { type: random.pick([undefined, ...types]) };
        const known = logs.of(tenantId).length;
        const after = { position: BigInt(random.below(known + 1)), period: 1 };
        const pace = random.pick([0, 0, 1, 20]);
        const seen: LoggedEvent[] = [];
        const reader = watch.reader(tenantId, { filter, after, isSteady: true });
        const never = new StopController();
        const expected = (): LoggedEvent[] =>
          logs.of(tenantId).filter((event) => event.at.position > after.position && isOf(filter, event));
        while (!writing.isOver || seen.length < expected().length) {
          // Some calls end without an event.
          const until = new StopController();
          void pass(random.below(30)).then(() => until.abort(undefined));
          seen.push(...(await reader.next(1 + random.below(10), until)));
          await pass(random.below(pace + 1));
        }
        reader.close();
        expect(seen.map(({ id }) => id)).toEqual(expected().map(({ id }) => id));
        expect(reader.isClosed).toBe(true);
        expect(await reader.next(1, never)).toEqual([]);
      };
      const followers = Array.from({ length: 1 + random.below(12) }, follow);
      await Promise.all([write(), ...followers]);
      expect(logs.maxReadings).toBeLessThanOrEqual(4);
      stopping.abort(undefined);
    },
  );

  it('goes on when the store fails, where it is steady, and else passes the error on', async () => {
    const { logs, changes, watch, stopping } = startWatch(createRandom('failures'));
    logs.failureShare = 1;
    logs.append('acme', 'a');
    const never = new StopController();
    const reader = watch.reader('acme', { filter: {}, after: start, isSteady: false });
    await expect(reader.next(1, never)).rejects.toThrow('the store is away');
    const steady = watch.watch('acme', { after: start }, never);
    const next = steady.next();
    await nextTurn();
    logs.failureShare = 0;
    expect(await next).toMatchObject({ value: { id: '1' } });
    const second = steady.next();
    logs.failureShare = 1;
    logs.append('acme', 'a');
    changes.tell('acme');
    await nextTurn();
    logs.failureShare = 0;
    // Found without news: a look at the log comes each second or two.
    expect(await second).toMatchObject({ value: { id: '2' } });
    stopping.abort(undefined);
  });

  it('ends when the service stops, at its signal, and by return, also while an event is awaited', async () => {
    const { logs, watch, stopping } = startWatch(createRandom('ends'));
    logs.append('acme', 'a');
    const [signal, never] = [new StopController(), new StopController()];
    const [one, two, three] = [
      watch.watch('acme', { after: start }, signal),
      watch.watch('acme', { after: start }, never),
      watch.watch('acme', { after: start }, never),
    ];
    const ends = [one, two, three].map((events) => events.next());
    signal.abort(undefined);
    await two.return?.();
    stopping.abort(undefined);
    expect(await Promise.all(ends)).toEqual(ends.map(() => ({ done: true, value: undefined })));
    expect(await watch.watch('acme', { after: start }, never).next()).toEqual({
      done: true,
      value: undefined,
    });
  });

  it('reads the log once for many readers', async () => {
    const { logs, changes, watch, stopping } = startWatch(createRandom('once'));
    const never = new StopController();
    const readers = Array.from({ length: 100 }, () => watch.watch('acme', { after: start }, never));
    const first = readers.map((events) => events.next());
    logs.append('acme', 'a');
    changes.tell('acme');
    await Promise.all(first);
    await pass(10);
    let lists = 0;
    const { list } = logs;
    Object.assign(logs, { list: ((...page) => ((lists += 1), list(...page))) satisfies EventStore['list'] });
    const second = readers.map((events) => events.next());
    logs.append('acme', 'b');
    changes.tell('acme');
    expect((await Promise.all(second)).map(({ value }) => (value as LoggedEvent).type)).toEqual(
      readers.map(() => 'b'),
    );
    expect(lists).toBeLessThanOrEqual(2);
    stopping.abort(undefined);
  });
});
