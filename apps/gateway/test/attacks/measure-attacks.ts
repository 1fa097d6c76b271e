import type { AttackedProcess, LegalRequest } from './attacked-process.ts';
import { httpAttacks } from './http-attacks.ts';
import { operationAttacks, refusedVariables } from './operation-attacks.ts';
import { honestResponse, subgraphAttacks } from './subgraph-attacks.ts';

/** The cost of one request for the gateway. */
export interface Row {
  readonly name: string;
  readonly response: string;
  readonly cpuMs: number;
  /** The time in which the event loop was blocked. */
  readonly stallMs: number;
}

export interface Effort {
  /** The number of requests for the mean of the CPU time. */
  readonly requests: number;
  /**
   * The maximum of single requests until one does not stall the event loop too long: other programs make a stall
   * longer.
   */
  readonly stalls: number;
}

/** Attacks that only configured limits reject: without limits, they are large legal operations. */
const codesOfLimits: ReadonlySet<string> = new Set([
  'MAX_DEPTH_LIMIT',
  'MAX_ALIASES_LIMIT',
  'MAX_ROOT_FIELDS_LIMIT',
  'COST_ESTIMATED_TOO_EXPENSIVE',
]);

/** The longest allowed stall of the event loop. */
export const maxStallMs = 50;

export interface Measured extends LegalRequest {
  /** The number of bytes of a lying subgraph's response. */
  readonly responseBytes?: number;
  /** Makes a subgraph lie until the returned function is called. */
  readonly prepare?: () => () => void;
}

/** Every message that counts as an attack under the configuration of a process. */
export function attacksOn(target: AttackedProcess): readonly Measured[] {
  const hasLimits = target.name === 'the shipped router.yaml';
  const ofOperations = hasLimits
    ? [...operationAttacks, ...refusedVariables]
    : operationAttacks.filter(({ code }) => !codesOfLimits.has(code));
  return [
    ...httpAttacks.map(({ name, ...message }) => ({ name, message: () => message })),
    ...ofOperations.map((attack) => ({ name: attack.name, message: () => target.messageOf(attack) })),
    ...subgraphAttacks.map((attack) => ({
      name: `a subgraph answers ${attack.of} with ${attack.name}`,
      message: () => target.twoFetches(),
      responseBytes: attack.body.length,
      prepare: () => target.lie(attack),
    })),
  ];
}

/** Measures requests one after another. */
export async function measureAll(
  target: AttackedProcess,
  requests: readonly LegalRequest[],
  effort: Effort,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const request of requests) {
    rows.push(await measure(target, request, effort));
  }
  return rows;
}

/** The CPU time of the most expensive of several, in milliseconds. */
export function mostExpensive(rows: readonly Row[]): number {
  return Math.max(...rows.map(({ cpuMs }) => cpuMs));
}

/** Measures an honest response with as many bytes as a lying subgraph sends: a list of small objects. */
export async function measureHonest(target: AttackedProcess, bytes: number, effort: Effort): Promise<Row> {
  return await measure(
    target,
    {
      name: `an honest answer of ${Math.round(bytes / 1000)} kB`,
      message: () => target.listing(),
      prepare: () => target.lie({ of: 'root', body: honestResponse(bytes) }),
    },
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
  // Warms up, so that the engine has compiled everything.
  for (let index = 0; index < 3; index += 1) {
    response = await target.send(message());
  }
  const before = await target.metric('process_cpu_seconds_total');
  for (let index = 0; index < requests; index += 1) {
    await target.send(message());
  }
  const cpuMs = ((await target.metric('process_cpu_seconds_total')) - before) * (1000 / requests);
  let stallMs = Number.POSITIVE_INFINITY;
  for (let index = 0; index < stalls && stallMs > maxStallMs; index += 1) {
    await target.metric(lag);
    await target.send(message());
    stallMs = Math.min(stallMs, (await target.metric(lag)) * 1000 - resolutionMs);
  }
  end?.();
  return { name, response, cpuMs, stallMs: Math.max(0, stallMs) };
}

/** The longest time between two ticks of the event loop since the last call, which resets it. */
const lag = 'nodejs_eventloop_lag_max_seconds';
/** The interval of the ticks. */
const resolutionMs = 10;
