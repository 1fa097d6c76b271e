// The unavoidable work: the token is verified, the row is looked up as its tenant, the account is written;
// over the same driver with the same settings as the service. No deadline, no log, no metrics, no entity tag.
import type { IncomingMessage, ServerResponse } from 'node:http';
import process from 'node:process';

import { callerFromAuthorization, createTokenVerifier } from '@meridian/auth';
import { Pool } from 'pg';

import { listenAndAnnounce } from '../harness/listen-and-announce.ts';

const { DATABASE_URL = '', JWKS_URL = '', JWT_ISSUER = '', JWT_AUDIENCE = '' } = process.env;
const verifier = createTokenVerifier({
  issuers: [{ issuer: JWT_ISSUER, audience: JWT_AUDIENCE, jwksUrl: new URL(JWKS_URL) }],
});
const pool = new Pool({
  connectionString: DATABASE_URL,
  max: 10,
  pipeline: true,
  statement_timeout: 1800,
  keepAlive: true,
});

listenAndAnnounce((request, response) => void respondBarely(request, response));

/** Answers `GET /accounts/:id`, and nothing else. */
async function respondBarely(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { tenantId } = await callerFromAuthorization(request.headers.authorization, verifier);
  const id = request.url?.slice('/accounts/'.length);
  const { rows } = await pool.query<{ id: string; balance_minor_units: string }>(
    'select * from find_account($1, $2)',
    [tenantId, id],
  );
  const [account] = rows;
  if (account === undefined) {
    response.writeHead(404).end();
    return;
  }
  const body = `{"id":${JSON.stringify(account.id)},"balance_minor_units":${account.balance_minor_units}}`;
  response
    .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
    .end(body);
}
