import { openClients } from './clients.ts';
import type { Request } from './clients.ts';
import type { Contender } from './measure-in-slices.ts';
import { cpuSeconds } from './process-cost.ts';
import { warmUp } from './warm-up.ts';

export interface HttpContenderOptions {
  readonly name: string;
  /** The processes that handle the requests, with equal parts. */
  readonly pids: readonly [number, ...number[]];
  /** The n-th request. */
  readonly requestOf: (n: number) => Request;
}

export interface HttpLoad {
  /** Requests that are under way at the same time, each on a connection of its own. */
  readonly connections: number;
  /** The number of requests in a slice. */
  readonly requests: number;
}

export function httpContender(
  { name, pids, requestOf }: HttpContenderOptions,
  { connections, requests }: HttpLoad,
): Contender {
  const clients = openClients(connections);
  let sent = 0;
  const next = (): Request => {
    const request = requestOf(sent);
    sent += 1;
    return request;
  };
  return {
    name,
    cpuSeconds: () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0),
    warmUp: () => warmUp(pids[0], (seconds) => clients.load({ requestOf: next, seconds })),
    runSlice: () => clients.load({ requestOf: next, requests }),
    close: () => clients.close(),
  };
}
