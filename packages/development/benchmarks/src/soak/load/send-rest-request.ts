import type { HttpResponse } from './http-sender.ts';
import { exchange } from './session.ts';
import type { Session } from './session.ts';

/** A request to a resource API, and its expected outcome. */
export interface RestRequest {
  readonly name: string;
  readonly service: 'accounts' | 'orders';
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly token?: string;
  readonly status: number;
  /** The kind of problem, for a rejection. */
  readonly problem?: string;
}

/**
 * Sends the request, and returns a response with the expected status. Undefined for another status, which is a fault,
 * and if the service was killed: the outcome is then unknown.
 */
export async function sendRestRequest(
  session: Session,
  request: RestRequest,
): Promise<HttpResponse | undefined> {
  const { name, service, method, path, body, status, problem, token = session.token } = request;
  const { tally, targets } = session.load;
  const message = {
    method,
    url: new URL(path, targets[service]),
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...request.headers,
    },
    body,
  };
  const exchanged = await exchange(session, message, { name, service });
  if (exchanged === undefined) {
    return undefined;
  }
  const { response } = exchanged;
  const kind = kindOf(response);
  if (response.status !== status || kind !== problem) {
    tally.fault(`${name}: ${response.status} ${kind ?? ''} instead of ${status} ${problem ?? ''}`);
    return undefined;
  }
  tally.count('right');
  if (problem !== undefined) {
    tally.count('rejected');
  }
  return response;
}

/** The kind of problem of a response, if it is one. */
function kindOf({ headers, body }: HttpResponse): string | undefined {
  if (headers['content-type'] !== 'application/problem+json') {
    return undefined;
  }
  return /"type":"[^"]*\/problems\/([a-z-]+)"/u.exec(body)?.[1] ?? 'no kind';
}
