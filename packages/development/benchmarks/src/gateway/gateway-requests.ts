import type { Contender } from './contenders.ts';
import type { GatewayLoad } from './load-generator.ts';
import type { Workload } from './workload.ts';
import { variants } from './workload.ts';

/** Prepares the requests of a workload: each has the text of its operation. */
export function gatewayRequests(
  url: string,
  { query, operationName, variables }: Workload,
  headers: Contender['headers'] = {},
): Omit<GatewayLoad, 'seconds'> {
  return {
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    bodies: Array.from({ length: variants }, (_, n) =>
      JSON.stringify({ query, operationName, variables: variables(n) }),
    ),
  };
}
