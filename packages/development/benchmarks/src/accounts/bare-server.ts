// The unavoidable work: the token is verified, the row is looked up as its tenant, the account is written;
// over the same driver with the same settings as the service. No deadline, no log, no metrics, no entity tag.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import process from 'node:process';

import { callerFromAuthorization, createTokenVerifier } from '@meridian/auth';
import { Pool } from 'pg';

import { listen } from '../harness/listen.ts';

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

// Node writes a CPU profile when a process exits, not when a signal ends it.
process.once('SIGTERM', () => process.exit(0));
const port = await listen(createServer((request, response) => void respondBarely(request, response)));
// As the log of a service does.
process.stdout.write(`${JSON.stringify({ address: { port } })}\n`);

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
