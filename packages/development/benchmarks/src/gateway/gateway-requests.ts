import type { GatewayLoad } from './load-generator.ts';
import type { Workload } from './workload.ts';
import { variants } from './workload.ts';

/** Prepares the requests of a workload: each has the text of its operation, and no token. */
export function gatewayRequests(
  url: string,
  { query, operationName, variables }: Workload,
): Omit<GatewayLoad, 'seconds'> {
  return {
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    bodies: Array.from({ length: variants }, (_, n) =>
      JSON.stringify({ query, operationName, variables: variables(n) }),
    ),
  };
}
