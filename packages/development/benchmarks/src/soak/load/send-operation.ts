import type { Outage } from '../events/outages.ts';
import type { Expected } from './difference.ts';
import { difference } from './difference.ts';
import { calledBySubgraphs, operationNeeds } from './operations.ts';
import type { OperationName } from './operations.ts';
import type { HttpResponse, HttpRequest } from './http-sender.ts';
import { exchange } from './session.ts';
import type { Load, Session } from './session.ts';

/** An operation of the manifest, and its response while every service is up. */
export interface ExpectedOperation {
  readonly operation: OperationName;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Default: POST. */
  readonly method?: 'GET' | 'POST';
  readonly expected: Expected;
  /** The time after which the client hangs up. */
  readonly timeoutMs?: number;
}

export type GraphData = Readonly<Record<string, unknown>>;

interface GraphError {
  readonly extensions?: { readonly code?: string };
}

interface GraphBody {
  readonly data?: GraphData | null;
  readonly errors?: readonly GraphError[];
}

/**
 * Sends the operation, and checks the response. Returns the data of a complete and correct response; undefined for a
 * partial one, because a service is away, and without a response. The outcome of a mutation is then unknown.
 */
export async function sendOperation(
  session: Session,
  expectation: ExpectedOperation,
): Promise<GraphData | undefined> {
  const { operation, method = 'POST', variables = {}, timeoutMs } = expectation;
  const { tally } = session.load;
  const message = persistedRequest(session, { operation, method, variables, token: session.token });
  const exchanged = await exchange(session, message, {
    name: operation,
    service: 'gateway',
    timeoutMs,
  });
  if (exchanged === undefined) {
    return undefined;
  }
  const { response, outages } = exchanged;
  const judged = judge(response, expectation, excusesOf(operation, outages));
  if (judged.is === 'wrong') {
    tally.fault(`${operation} by ${method}: ${judged.fault}`);
    return undefined;
  }
  tally.count('right');
  if (judged.is === 'partial') {
    tally.count('partial');
    return undefined;
  }
  return judged.data;
}

export interface PersistedRequest {
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  readonly variables: Readonly<Record<string, unknown>>;
  /** Absent: without a caller. */
  readonly token: string | undefined;
}

/** A registered operation as a client sends it: by its identifier, in the body or in the query string. */
export function persistedRequest(
  { load }: { readonly load: Pick<Load, 'targets' | 'identifierOf'> },
  { operation, method, variables, token }: PersistedRequest,
): HttpRequest {
  const url = new URL(load.targets.gateway);
  const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const members = {
    operationName: operation,
    variables,
    extensions: { persistedQuery: { version: 1, sha256Hash: load.identifierOf(operation) } },
  };
  if (method === 'POST') {
    return {
      method,
      url,
      headers: { ...authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify(members),
    };
  }
  for (const [name, value] of Object.entries(members)) {
    url.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return { method, url, headers: { ...authorization, 'Apollo-Require-Preflight': 'true' } };
}

/** The codes of the errors in a response of the gateway. */
export function codesOfResponse({ body }: HttpResponse): readonly string[] {
  return parsed(body)?.errors?.map(codeOf) ?? [];
}

/** An outage that affects an operation, with the code that reports it. */
interface Excuse extends Outage {
  readonly code: string;
}

function excusesOf(operation: OperationName, outages: readonly Outage[]): readonly Excuse[] {
  const needs: readonly string[] = operationNeeds[operation];
  const called = calledBySubgraphs[operation] ?? [];
  return outages.flatMap((outage) => [
    ...(needs.includes(outage.service) ? [{ ...outage, code: codeOfOutage[outage.kind] }] : []),
    ...(called.includes(outage.service) ? [{ ...outage, code: 'SERVICE_UNAVAILABLE' }] : []),
  ]);
}

type Judgement =
  | { readonly is: 'whole'; readonly data: GraphData }
  | { readonly is: 'partial' }
  | { readonly is: 'wrong'; readonly fault: string };

/** The codes that a response may have in an outage. Contract: Gateway, the table of codes. */
const codeOfOutage: Readonly<Record<Outage['kind'], string>> = {
  killed: 'SUBREQUEST_HTTP_ERROR',
  stopped: 'SUBREQUEST_HTTP_ERROR',
  hung: 'GATEWAY_TIMEOUT',
};

function judge(
  { status, headers, body }: HttpResponse,
  { expected, method = 'POST' }: ExpectedOperation,
  excuses: readonly Excuse[],
): Judgement {
  const response = parsed(body);
  if (status !== 200 || response === undefined || response.data === undefined) {
    return wrong(`status ${status}, ${body.slice(0, 160)}`);
  }
  if (!headers['apollo-trace-id']) {
    return wrong('no apollo-trace-id');
  }
  const { data, errors = [] } = response;
  const allowed = new Set(excuses.map(({ code }) => code));
  const unexplained = errors.map(codeOf).find((code) => !allowed.has(code));
  if (unexplained !== undefined) {
    const away = excuses.map(({ service, kind }) => `${service} ${kind}`).join(', ');
    return wrong(`${unexplained} with ${away || 'every service that it needs there'}`);
  }
  const isPartial = errors.length > 0;
  if (method === 'GET' && !cacheControlFits(headers['cache-control'], isPartial)) {
    return wrong(
      `Cache-Control: ${String(headers['cache-control'])}${isPartial ? ' of a partial response' : ''}`,
    );
  }
  const found = difference(expected, data, { nullsAllowed: isPartial });
  if (found !== undefined) {
    return wrong(`${found}${isPartial ? ' in a partial response' : ''}`);
  }
  return isPartial || data === null ? { is: 'partial' } : { is: 'whole', data };
}

const wrong = (fault: string): Judgement => ({ is: 'wrong', fault });

/** A tenant's response is private, and a partial one must not be cached. Spec: Authentication, rule 4. */
function cacheControlFits(header: HttpResponse['headers'][string], isPartial: boolean): boolean {
  const text = String(header);
  return isPartial ? /\bno-store\b/u.test(text) : /\bprivate\b/u.test(text) || /\bno-store\b/u.test(text);
}

const codeOf = ({ extensions }: GraphError): string => extensions?.code ?? 'no code';

function parsed(body: string): GraphBody | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whatever does not fit is a fault
    return JSON.parse(body) as GraphBody;
  } catch {
    return undefined;
  }
}
