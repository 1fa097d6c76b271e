import { percentile } from '../harness/numbers.ts';

/** A system that requests pass through. */
export interface SimulatedSystem {
  /** The cores that all stations share. */
  readonly cores: number;
  readonly stations: Readonly<Record<string, SimulatedStation>>;
  /** The names of the stations that a request visits, in order. Each visit of a station takes the same CPU time. */
  readonly route: readonly string[];
  /** The part of a response time in which no station works on the request. */
  readonly delaySeconds: number;
  /**
   * The share of the CPU time of a visit that its station uses when the request has gone on: it logs, frees memory,
   * polls.
   */
  readonly backgroundShare: number;
}

export interface SimulatedStation {
  /** The most requests that it works on at the same time. Others wait, first come, first served. */
  readonly threads: number;
  /** CPU seconds for a request, all visits together. */
  readonly cpuSeconds: number;
  /**
   * The same in addition, where each visit finds the station idle: threads wake up, and caches are cold. A station of one
   * thread is an event loop, which pays for each turn: a turn takes all that wait at its start.
   */
  readonly wakeUpCpuSeconds: number;
  /** CPU seconds for a request of threads beside these, which it does not wait for: they collect garbage, compile. */
  readonly helperCpuSeconds: number;
}

/** Clients that each send a request when they have a response; or requests that come at random (Poisson). */
export type SimulatedLoad = { readonly clients: number } | { readonly requestsPerSecond: number };

export interface SimulatedResult {
  readonly requestsPerSecond: number;
  readonly meanMs: number;
  readonly p99Ms: number;
  /** CPU seconds of each station for a request, as they came out. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
}

interface SimulationOptions {
  /** The responses that count, after a tenth as many that do not. Default: 20 000. */
  readonly responses?: number;
  /** Numbers from 0 to 1. Default: the same ones in each simulation. */
  readonly random?: () => number;
}

/**
 * Simulates a network of queues. All threads at work share the cores evenly (processor sharing), and none uses more
 * than one core. CPU times and gaps between arrivals are exponential; the delay is fixed.
 */
export function simulateLoad(
  system: SimulatedSystem,
  load: SimulatedLoad,
  { responses = 20_000, random = createRandom() }: SimulationOptions = {},
): SimulatedResult {
  const exponential = (mean: number): number => -Math.log(1 - random()) * mean;
  const nextGap = (): number => ('clients' in load ? Infinity : exponential(1 / load.requestsPerSecond));
  const network = new Network(system, exponential);
  const clients = 'clients' in load ? load.clients : 0;
  for (let count = 0; count < clients; count += 1) {
    network.send();
  }
  const uncounted = Math.ceil(responses / 10);
  const seconds: number[] = [];
  let countedFrom = 0;
  let arrivesAt = nextGap();
  for (let ended = 0; ended < uncounted + responses;) {
    const sentAt = network.advance(arrivesAt);
    if (sentAt === undefined && network.now === arrivesAt) {
      network.send();
      arrivesAt += nextGap();
    }
    if (sentAt !== undefined) {
      ended += 1;
      if (ended > uncounted) {
        seconds.push(network.now - sentAt);
      } else if (ended === uncounted) {
        countedFrom = network.now;
        network.resetUsage();
      }
      if (clients > 0) {
        network.send();
      }
    }
  }
  const sorted = seconds.toSorted((one, other) => one - other);
  return {
    requestsPerSecond: responses / (network.now - countedFrom),
    meanMs: (sorted.reduce((sum, value) => sum + value, 0) / responses) * 1000,
    p99Ms: percentile(sorted, 0.99) * 1000,
    cpuSeconds: network.usagePer(responses),
  };
}

interface Job {
  readonly sentAt: number;
  /** Its place in the route. */
  visit: number;
}

/** A thread at work. */
interface Work {
  cpuSecondsLeft: number;
  readonly end: () => void;
}

interface Queue extends SimulatedStation {
  readonly name: string;
  /** The number of times that a request visits the station. */
  readonly visits: number;
  readonly waiting: Job[];
  threadsAtWork: number;
  /** The visits that the turn of the event loop still has. */
  leftInTurn: number;
  cpuSecondsUsed: number;
}

class Network {
  now = 0;
  readonly #system: SimulatedSystem;
  readonly #exponential: (mean: number) => number;
  readonly #queues: readonly Queue[];
  readonly #route: readonly Queue[];
  readonly #working: Work[] = [];
  /** In the order of their ends, because all delays are the same. */
  readonly #delayed: { readonly sentAt: number; readonly until: number }[] = [];

  constructor(system: SimulatedSystem, exponential: (mean: number) => number) {
    this.#system = system;
    this.#exponential = exponential;
    this.#queues = queuesOf(system);
    this.#route = system.route.flatMap((name) => this.#queues.filter((queue) => queue.name === name));
  }

  send(): void {
    this.#visit({ sentAt: this.now, visit: 0 });
  }

  /**
   * Goes on to the next event, at the latest to a time. Answers when the request was sent, where the event is a
   * response.
   */
  advance(until: number): number | undefined {
    const speed = Math.min(1, this.#system.cores / this.#working.length);
    const soonest = indexOfLeast(this.#working);
    const workEnds = this.now + (this.#working[soonest]?.cpuSecondsLeft ?? Infinity) / speed;
    const delayEnds = this.#delayed[0]?.until ?? Infinity;
    const next = Math.min(workEnds, delayEnds, until);
    for (const work of this.#working) {
      work.cpuSecondsLeft -= (next - this.now) * speed;
    }
    this.now = next;
    if (next === delayEnds) {
      return this.#delayed.shift()?.sentAt;
    }
    if (next === workEnds) {
      this.#working.splice(soonest, 1).forEach(({ end }) => end());
    }
    return undefined;
  }

  resetUsage(): void {
    this.#queues.forEach((queue) => void (queue.cpuSecondsUsed = 0));
  }

  usagePer(responses: number): Record<string, number> {
    return Object.fromEntries(
      this.#queues.map(({ name, cpuSecondsUsed }) => [name, cpuSecondsUsed / responses]),
    );
  }

  #visit(job: Job): void {
    const queue = this.#route[job.visit];
    if (queue === undefined) {
      this.#delayed.push({ sentAt: job.sentAt, until: this.now + this.#system.delaySeconds });
    } else if (queue.threadsAtWork === queue.threads) {
      queue.waiting.push(job);
    } else {
      queue.threadsAtWork += 1;
      this.#work(job, queue, queue.threadsAtWork === 1 ? queue.wakeUpCpuSeconds : 0);
    }
  }

  #work(job: Job, queue: Queue, wakeUpCpuSeconds: number): void {
    const cpuSeconds = this.#exponential((queue.cpuSeconds + wakeUpCpuSeconds) / queue.visits);
    queue.cpuSecondsUsed += cpuSeconds;
    if (queue.helperCpuSeconds > 0) {
      const helperCpuSeconds = this.#exponential(queue.helperCpuSeconds / queue.visits);
      queue.cpuSecondsUsed += helperCpuSeconds;
      this.#working.push({ cpuSecondsLeft: helperCpuSeconds, end: () => {} });
    }
    const background = cpuSeconds * this.#system.backgroundShare;
    this.#working.push({
      cpuSecondsLeft: cpuSeconds - background,
      end: () => {
        if (background > 0) {
          this.#working.push({ cpuSecondsLeft: background, end: () => this.#release(queue) });
        } else {
          this.#release(queue);
        }
        job.visit += 1;
        this.#visit(job);
      },
    });
  }

  #release(queue: Queue): void {
    const startsTurn = queue.leftInTurn === 0;
    if (startsTurn) {
      queue.leftInTurn = queue.waiting.length;
    }
    const next = queue.waiting.shift();
    if (next === undefined) {
      queue.threadsAtWork -= 1;
    } else {
      queue.leftInTurn -= 1;
      this.#work(next, queue, startsTurn && queue.threads === 1 ? queue.wakeUpCpuSeconds : 0);
    }
  }
}

function queuesOf({ stations, route }: SimulatedSystem): Queue[] {
  return Object.entries(stations).map(([name, station]) =>
    Object.assign(
      {
        name,
        visits: route.filter((visited) => visited === name).length,
        waiting: [],
        threadsAtWork: 0,
        leftInTurn: 0,
        cpuSecondsUsed: 0,
      },
      station,
    ),
  );
}

function indexOfLeast(working: readonly Work[]): number {
  let least = 0;
  for (const [index, { cpuSecondsLeft }] of working.entries()) {
    if (cpuSecondsLeft < (working[least]?.cpuSecondsLeft ?? Infinity)) {
      least = index;
    }
  }
  return least;
}

/** The mulberry32 generator: the same numbers each time. */
function createRandom(): () => number {
  let state = 42;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
