import './page.css';

import { ApolloProvider } from '@apollo/client/react';
import { createRoot } from 'react-dom/client';

import { createClient } from './graph/create-client.ts';
import { openLedger } from './ledger/ledger.ts';
import { openSession } from './session.ts';
import { Shop } from './shop.tsx';

const session = openSession(async () => {
  const { token } = await json<{ token: string }>('/session', { method: 'POST' });
  return token;
});
const ledger = openLedger(session);
const client = createClient({
  graphUrl: '/graphql',
  session,
  loadIdentifiers: () => json('/operations.json'),
});

async function json<Body>(url: string, init?: RequestInit): Promise<Body> {
  const response = await fetch(url, init);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- page and server are of one version
  return (await response.json()) as Body;
}

createRoot(document.querySelector('#page') ?? document.body).render(
  <ApolloProvider client={client}>
    <Shop ledger={ledger} />
  </ApolloProvider>,
);
