import type { GatewayLoad } from './load-generator.ts';
import type { Workload } from './workload.ts';
import { variants } from './workload.ts';

/** The form of a workload's requests. */
export interface RequestForm {
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the n-th request. */
  readonly bodyOf: (workload: Workload, n: number) => string;
}

const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json' };

/** Prepares the requests of a workload. */
export function requestsOf(
  url: string,
  { headers, bodyOf }: RequestForm,
  workload: Workload,
): Omit<GatewayLoad, 'seconds'> {
  return { url, headers, bodies: Array.from({ length: variants }, (_, n) => bodyOf(workload, n)) };
}

/** Each request brings the text of its operation, from nobody in particular. */
export const asText: RequestForm = {
  headers: jsonHeaders,
  bodyOf: ({ query, operationName, variables }, n) =>
    JSON.stringify({ query, operationName, variables: variables(n) }),
};

/** Each request names a persisted operation by its identifier, and the caller by a token. */
export function asPersisted(token: string, idOf: (workload: Workload) => string): RequestForm {
  return {
    headers: { ...jsonHeaders, authorization: `Bearer ${token}` },
    bodyOf: (workload, n) =>
      JSON.stringify({
        operationName: workload.operationName,
        variables: workload.variables(n),
        extensions: { persistedQuery: { version: 1, sha256Hash: idOf(workload) } },
      }),
  };
}
