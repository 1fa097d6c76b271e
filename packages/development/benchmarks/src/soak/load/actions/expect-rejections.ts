import { persistedRequest } from '../send-operation.ts';
import { sendRestRequest } from '../send-rest-request.ts';
import { oneOf } from '../one-of.ts';
import { expectRejected } from '../expect-rejected.ts';
import type { HttpRequest } from '../http-sender.ts';
import type { Session } from '../session.ts';
import { tooManyAliases } from '../operations.ts';

/** A request that must be rejected: by the gateway with a code, or by accounts with a problem. */
type Rejection = (session: Session) => Promise<unknown>;

/** All kinds of rejection, with equal frequency. */
export async function expectRejections(session: Session): Promise<void> {
  await oneOf(rejections)(session);
}

const rejections: readonly Rejection[] = [
  graph(401, 'UNAUTHENTICATED', (session) =>
    persisted(session, 'Me', {}, { method: 'GET', token: undefined }),
  ),
  graph(401, 'UNAUTHENTICATED', (session) =>
    persisted(session, 'Me', {}, { token: session.token.slice(0, 99) }),
  ),
  graph(200, 'PAGE_SIZE_LIMIT', (session) => persisted(session, 'TopProducts', { first: 101 })),
  graph(200, 'COST_ESTIMATED_TOO_EXPENSIVE', (session) =>
    persisted(session, 'TopProducts', { first: 100, reviewsFirst: 100 }),
  ),
  graph(200, 'VALIDATION_INVALID_TYPE_VARIABLE', (session) =>
    persisted(session, 'ProductDetails', { id: { not: 'an identifier' } }),
  ),
  graph(200, 'MAX_ALIASES_LIMIT', (session) => persisted(session, tooManyAliases.name, {})),
  graph(200, 'PERSISTED_QUERY_NOT_IN_LIST', (session) =>
    post(session, { extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } }),
  ),
  graph(200, 'PERSISTED_QUERY_ID_REQUIRED', (session) =>
    post(session, { query: 'query Free { me { id } }' }),
  ),
  graph(405, 'METHOD_NOT_ALLOWED', (session) =>
    persisted(session, 'CancelOrder', { id: 'any', reason: 'any' }, { method: 'GET' }),
  ),
  // Fields that a caller lacks the scope for are not fetched from the subgraph either.
  graph(200, 'UNAUTHORIZED_FIELD_OR_TYPE', (session) =>
    persisted(
      session,
      'OrderDetails',
      { id: session.tenant.orders[0]?.id },
      { token: session.tokenWithoutScopes },
    ),
  ),
  graph(200, 'UNAUTHORIZED_FIELD_OR_TYPE', (session) =>
    persisted(
      session,
      'SetProductPrice',
      { id: session.tenant.products[0]?.id, priceMinorUnits: 1 },
      { token: session.tokenWithoutScopes },
    ),
  ),
  accounts(403, 'insufficient-scope', ({ tokenWithoutScopes }) => tokenWithoutScopes),
  accounts(401, 'invalid-token', ({ token }) => token.slice(9)),
];

function graph(status: number, code: string, messageOf: (session: Session) => HttpRequest): Rejection {
  return (session) =>
    expectRejected(session, { name: `a request for ${code}`, message: messageOf(session), status, code });
}

function persisted(
  session: Session,
  operation: string,
  variables: Readonly<Record<string, unknown>>,
  how: { readonly method?: 'GET' | 'POST'; readonly token?: string | undefined } = {},
): HttpRequest {
  return persistedRequest(session, { operation, variables, method: 'POST', token: session.token, ...how });
}

function post({ load, token }: Session, members: object): HttpRequest {
  return {
    method: 'POST',
    url: load.targets.gateway,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify(members),
  };
}

function accounts(status: number, problem: string, tokenOf: (session: Session) => string): Rejection {
  return (session) =>
    sendRestRequest(session, {
      name: `a request for ${problem}`,
      service: 'accounts',
      method: 'GET',
      path: '/accounts',
      token: tokenOf(session),
      status,
      problem,
    });
}
