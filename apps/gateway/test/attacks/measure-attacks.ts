import type { AttackedProcess, Message } from './attacked-process.ts';
import { httpAttacks } from './http-attacks.ts';
import { literalBurdens, operationAttacks, variableBurdens } from './operation-attacks.ts';
import { subgraphAttacks } from './subgraph-attacks.ts';

/** What one request cost the gateway. */
export interface Row {
  readonly name: string;
  readonly response: string;
  readonly cpuMs: number;
  /** How long nothing else could be done. */
  readonly stallMs: number;
}

export interface Effort {
  /** How many requests are sent for the mean of the CPU time. */
  readonly requests: number;
  /** How many are sent one by one for the stall; what other programs add to it differs, so that the smallest counts. */
  readonly stalls: number;
}

/** Attacks that are refused only where an operator has set limits: without them they are large legal operations. */
const codesOfLimits: ReadonlySet<string> = new Set([
  'MAX_DEPTH_LIMIT',
  'MAX_ALIASES_LIMIT',
  'MAX_ROOT_FIELDS_LIMIT',
  'COST_ESTIMATED_TOO_EXPENSIVE',
]);

interface Measured {
  readonly name: string;
  readonly message: () => Message;
  /** Has a subgraph lie, until the function that it returns is called. */
  readonly prepare?: () => () => void;
}

/** Every attack that is one with the configuration of a process. */
export function attacksOn(target: AttackedProcess): readonly Measured[] {
  const hasLimits = target.name === 'the shipped router.yaml';
  const ofOperations = hasLimits
    ? [...operationAttacks, ...variableBurdens]
    : [...operationAttacks.filter(({ code }) => !codesOfLimits.has(code)), ...literalBurdens];
  return [
    ...httpAttacks.map(({ name, ...message }) => ({ name, message: () => message })),
    ...ofOperations.map((attack) => ({ name: attack.name, message: () => target.messageOf(attack) })),
    ...subgraphAttacks.map((attack) => ({
      name: `a subgraph answers ${attack.of} with ${attack.name}`,
      message: () => target.twoFetches(),
      prepare: () => target.lie(attack),
    })),
  ];
}

/** Measures the large legal operation, which all others are held against. */
export async function measureLegal(target: AttackedProcess, effort: Effort): Promise<Row> {
  return await measure(
    target,
    { name: 'a large legal operation', message: () => target.largeLegal() },
    effort,
  );
}

export async function measure(
  target: AttackedProcess,
  { name, message, prepare }: Measured,
  { requests, stalls }: Effort,
): Promise<Row> {
  const end = prepare?.();
  let response = '';
  // So that all of it is compiled by the engine before it is measured.
  for (let index = 0; index < 3; index += 1) {
    response = await target.send(message());
  }
  const before = await target.metric('process_cpu_seconds_total');
  for (let index = 0; index < requests; index += 1) {
    await target.send(message());
  }
  const cpuMs = ((await target.metric('process_cpu_seconds_total')) - before) * (1000 / requests);
  let stallMs = Number.POSITIVE_INFINITY;
  for (let index = 0; index < stalls; index += 1) {
    await target.metric(lag);
    await target.send(message());
    stallMs = Math.min(stallMs, (await target.metric(lag)) * 1000 - resolutionMs);
  }
  end?.();
  return { name, response, cpuMs, stallMs: Math.max(0, stallMs) };
}

/** The longest time between two looks of the event loop since it was last read, at which it starts anew. */
const lag = 'nodejs_eventloop_lag_max_seconds';
/** It looks so often. */
const resolutionMs = 10;
