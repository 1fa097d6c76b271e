import type { Outages } from './outages.ts';
import type { GraphAnswer, SoakRequest } from './requests.ts';
import { chooseRequest } from './requests.ts';

/** What the clients saw. */
export interface Tally {
  answered: number;
  /** Answers with errors while a service was away, as they should have. */
  duringOutages: number;
  hungUp: number;
  /** What should not have been, with how often it was. */
  readonly faults: Map<string, number>;
}

export interface ClientsOptions {
  /** Of the graph. */
  readonly url: string;
  readonly token: string;
  readonly clients: number;
  readonly outages: Outages;
  /** Ends the load. */
  readonly signal: AbortSignal;
}

/** The share of requests whose client goes away before it has its answer. */
const hangUpShare = 0.05;
const longestPatienceMs = 30;
/** Longer than the gateway's own deadline: an answer that comes later is none. */
const clientTimeoutMs = 15_000;

/** Has clients send requests until they are told to stop, each one after the other. */
export async function driveClients(options: ClientsOptions): Promise<Tally> {
  const tally: Tally = { answered: 0, duringOutages: 0, hungUp: 0, faults: new Map() };
  const client = async (): Promise<void> => {
    while (!options.signal.aborted) {
      await sendOne(chooseRequest(), options, tally);
    }
  };
  await Promise.all(Array.from({ length: options.clients }, client));
  return tally;
}

async function sendOne(
  request: SoakRequest,
  { url, token, outages }: ClientsOptions,
  tally: Tally,
): Promise<void> {
  const startedMs = performance.now();
  const hangsUp = Math.random() < hangUpShare;
  const patienceMs = hangsUp ? Math.random() * longestPatienceMs : clientTimeoutMs;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(request.body),
      signal: AbortSignal.timeout(patienceMs),
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what does not fit is a fault below
    const answer = (await response.json()) as GraphAnswer;
    tally.answered += 1;
    const fault = response.status === 200 ? request.fault(answer) : `status ${response.status}`;
    if (fault !== undefined && response.status === 200 && outages.touch(startedMs)) {
      tally.duringOutages += 1;
    } else if (fault !== undefined) {
      note(tally, `${request.name}: ${fault}`);
    }
  } catch (error) {
    if (hangsUp) {
      tally.hungUp += 1;
    } else {
      note(tally, `${request.name}: no answer (${error instanceof Error ? error.name : 'unknown'})`);
    }
  }
}

function note({ faults }: Tally, fault: string): void {
  faults.set(fault, (faults.get(fault) ?? 0) + 1);
}
