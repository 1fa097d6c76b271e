import { persistedRequest } from '../send-operation.ts';
import { sendRestRequest } from '../send-rest-request.ts';
import { oneOf } from '../one-of.ts';
import type { OperationName } from '../operations.ts';
import type { FailedRequest } from '../expect-rejected.ts';
import { expectRejected } from '../expect-rejected.ts';
import type { Session } from '../session.ts';
import { tooManyAliases } from '../soak-operations.ts';

/** A request that must be rejected: by the gateway with a code, or by accounts with a problem. */
type RequestError = (session: Session) => Promise<void>;

/** All kinds of rejection, with equal frequency. */
export async function expectRejections(session: Session): Promise<void> {
  await oneOf(rejections)(session);
}

const rejections: readonly RequestError[] = [
  graph(401, 'UNAUTHENTICATED', 'a query without a token', ({ load }) =>
    persistedRequest({ load }, { operation: 'Me', method: 'GET', variables: {}, token: undefined }),
  ),
  graph(401, 'UNAUTHENTICATED', 'a query with half of a token', ({ load, token }) =>
    persistedRequest(
      { load },
      { operation: 'Me', method: 'POST', variables: {}, token: token.slice(0, token.length / 2) },
    ),
  ),
  persisted(200, 'PAGE_SIZE_LIMIT', 'TopProducts', { first: 101 }),
  persisted(200, 'COST_ESTIMATED_TOO_EXPENSIVE', 'TopProducts', { first: 100, reviewsFirst: 100 }),
  persisted(200, 'VALIDATION_INVALID_TYPE_VARIABLE', 'ProductDetails', { id: { not: 'an identifier' } }),
  persisted(200, 'MAX_ALIASES_LIMIT', tooManyAliases.name, {}),
  graph(200, 'PERSISTED_QUERY_NOT_IN_LIST', 'an identifier that is not listed', (session) =>
    post(session, { extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } }),
  ),
  graph(200, 'PERSISTED_QUERY_ID_REQUIRED', 'a text without an identifier', (session) =>
    post(session, { query: 'query Free { me { id } }' }),
  ),
  graph(405, 'METHOD_NOT_ALLOWED', 'a mutation by GET', (session) =>
    persistedRequest(session, {
      operation: 'CancelOrder',
      method: 'GET',
      variables: { id: 'any', reason: 'any' },
      token: session.token,
    }),
  ),
  withoutScopes('OrderDetails', ({ tenant }) => ({ id: tenant.orders[0]?.id })),
  withoutScopes('SetProductPrice', ({ tenant }) => ({ id: tenant.products[0]?.id, priceMinorUnits: 1 })),
  (session) =>
    rest(
      session,
      { name: 'accounts without the scope', token: session.tokenWithoutScopes },
      403,
      'insufficient-scope',
    ),
  (session) =>
    rest(
      session,
      { name: 'accounts with half of a token', token: session.token.slice(9) },
      401,
      'invalid-token',
    ),
];

function graph(
  status: number,
  code: string,
  name: string,
  message: (session: Session) => FailedRequest['message'],
): RequestError {
  return (session) => expectRejected(session, { name, message: message(session), status, code });
}

function persisted(
  status: number,
  code: string,
  operation: string,
  variables: Readonly<Record<string, unknown>>,
): RequestError {
  return graph(status, code, `${operation} over a limit`, (session) =>
    persistedRequest(session, { operation, method: 'POST', variables, token: session.token }),
  );
}

/** Fields that a caller lacks the scope for are not fetched from the subgraph either. */
function withoutScopes(
  operation: OperationName,
  variablesFor: (session: Session) => Readonly<Record<string, unknown>>,
): RequestError {
  return graph(200, 'UNAUTHORIZED_FIELD_OR_TYPE', `${operation} without the scope`, (session) =>
    persistedRequest(session, {
      operation,
      method: 'POST',
      variables: variablesFor(session),
      token: session.tokenWithoutScopes,
    }),
  );
}

function post({ load, token }: Session, members: object): FailedRequest['message'] {
  return {
    method: 'POST',
    url: load.targets.gateway,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify(members),
  };
}

async function rest(
  session: Session,
  { name, token }: { readonly name: string; readonly token: string },
  status: number,
  problem: string,
): Promise<void> {
  await sendRestRequest(session, {
    name,
    service: 'accounts',
    method: 'GET',
    path: '/accounts',
    token,
    status,
    problem,
  });
}
