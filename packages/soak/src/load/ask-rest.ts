import type { HttpResponse } from './send-request.ts';
import { exchange } from './session.ts';
import type { Session } from './session.ts';

/** A request to a resource API, and the outcome that it should have. */
export interface RestQuestion {
  readonly name: string;
  readonly service: 'accounts' | 'orders';
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly token?: string;
  readonly status: number;
  /** The kind of problem, for a status that is a refusal. */
  readonly problem?: string;
}

/**
 * Asks, and returns the answer where it has the status that it should; undefined where it has not, which is a fault, or where the
 * service was killed: what the request has done then is not known.
 */
export async function askRest(session: Session, question: RestQuestion): Promise<HttpResponse | undefined> {
  const { name, service, method, path, body, status, problem, token = session.token } = question;
  const { tally, targets } = session.load;
  const message = {
    method,
    url: new URL(path, targets[service]),
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...question.headers,
    },
    body,
  };
  const exchanged = await exchange(session, message, { name, service, codesOf: kindsOf });
  if (exchanged === undefined) {
    return undefined;
  }
  const { response } = exchanged;
  const [kind] = kindsOf(response);
  if (response.status !== status || kind !== problem) {
    tally.fault(`${name}: ${response.status} ${kind ?? ''} instead of ${status} ${problem ?? ''}`);
    return undefined;
  }
  tally.count('right');
  if (problem !== undefined) {
    tally.count('refused');
  }
  return response;
}

/** The kind of problem that an answer is, if it is one. */
function kindsOf({ headers, body }: HttpResponse): readonly string[] {
  if (headers['content-type'] !== 'application/problem+json') {
    return [];
  }
  const kind = /"type":"[^"]*\/problems\/([a-z-]+)"/u.exec(body)?.[1];
  return [kind ?? 'no kind'];
}
