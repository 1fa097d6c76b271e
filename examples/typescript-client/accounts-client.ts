// The client of accounts: openapi-fetch, with the generated types, and with exact amounts.
import createClient from 'openapi-fetch';
import type { Client, Middleware } from 'openapi-fetch';

import type { paths } from './accounts.d.ts';

/** Of the representations of an account, the plain one. */
type MediaType = 'application/json' | 'application/problem+json';

export type AccountsClient = Client<paths, MediaType>;

export function createAccountsClient(baseUrl: string, token: string): AccountsClient {
  const client = createClient<paths, MediaType>({
    baseUrl,
    headers: { Authorization: `Bearer ${token}` },
    bodySerializer: writeExactly,
  });
  client.use(readsExactly);
  return client;
}

/** Has the body parsed by `parseExactly`, whether or not the response says how long it is. */
const readsExactly: Middleware = {
  async onResponse({ response }) {
    const text = await response.text();
    const exact = new Response(text || null, response);
    exact.headers.set('Content-Length', String(Buffer.byteLength(text)));
    exact.json = async () => parseExactly(text);
    return exact;
  },
};

/** Keeps the digits of amounts, which `JSON.parse` alone rounds beyond 2^53. */
function parseExactly(text: string): unknown {
  return JSON.parse(text, (name: string, value: unknown, ...[context]: { source: string }[]) =>
    name.endsWith('_minor_units') && typeof value === 'number' ? BigInt(context?.source ?? value) : value,
  );
}

function writeExactly(body: unknown): string {
  return JSON.stringify(body, (_name, value: unknown) =>
    typeof value === 'bigint' ? rawJSON(String(value)) : value,
  );
}

/** In Node since 21; the types of TypeScript do not have it yet. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };
