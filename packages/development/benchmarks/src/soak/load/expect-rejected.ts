import { codesOfResponse, persistedRequest } from './send-operation.ts';
import { operationNeeds } from './operations.ts';
import type { OperationName } from './operations.ts';
import type { HttpRequest } from './http-sender.ts';
import type { Session } from './session.ts';
import { exchange } from './session.ts';

/** An operation of the manifest that must be rejected. */
export interface RejectedOperation {
  readonly name: string;
  readonly operation: OperationName;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly code: string;
}

/** The subgraph that rejects it; while that is away, the response has another error. */
export async function expectRejectedOperation(
  session: Session,
  { name, operation, variables = {}, code }: RejectedOperation,
): Promise<void> {
  const message = persistedRequest(session, { operation, method: 'POST', variables, token: session.token });
  const needs: readonly string[] = operationNeeds[operation];
  await expectRejected(session, { name, message, status: 200, code, needs });
}

export interface FailedRequest {
  readonly name: string;
  readonly message: HttpRequest;
  readonly status: number;
  readonly code: string;
  /** The subgraphs whose absence justifies another rejection. Default: none. */
  readonly needs?: readonly string[];
}

/** Sends a request that the gateway must reject with one code, and without data. */
export async function expectRejected(
  session: Session,
  { name, message, status, code, needs = [] }: FailedRequest,
): Promise<void> {
  const { tally } = session.load;
  const exchanged = await exchange(session, message, { name, service: 'gateway' });
  if (exchanged === undefined) {
    return;
  }
  const { response, outages } = exchanged;
  const codes = codesOfResponse(response).join();
  const isExcused =
    codes === 'SUBREQUEST_HTTP_ERROR' && outages.some(({ service }) => needs.includes(service));
  if (response.status !== status || (codes !== code && !isExcused)) {
    tally.fault(`${name}: ${response.status} ${codes || 'no error'} instead of ${status} ${code}`);
  } else if (holdsData(response.body)) {
    tally.fault(`${name}: rejected, and yet there is data`);
  } else {
    tally.count('right');
    tally.count('rejected');
  }
}

/** Any value but null in the data. */
function holdsData(body: string): boolean {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has been read before
  const { data } = JSON.parse(body) as { readonly data?: Readonly<Record<string, unknown>> | null };
  return Object.values(data ?? {}).some((value) => value !== null);
}
