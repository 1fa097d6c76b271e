import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, ServerError } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { generatePersistedQueryIdsFromManifest } from '@apollo/persisted-query-lists';
import { from, switchMap } from 'rxjs';

import type { Session } from '../session.ts';

export interface ClientOptions {
  readonly graphUrl: string;
  readonly session: Session;
  /** The part of the manifest's operations that a client needs. */
  readonly loadIdentifiers: () => Promise<{ readonly operations: { id: string; name: string }[] }>;
}

/**
 * Creates the client: persisted operations by their identifiers, reads by GET so that responses may be cached, and a
 * new token, once, when the gateway responds with 401.
 */
export function createClient({ graphUrl, session, loadIdentifiers }: ClientOptions): ApolloClient {
  return new ApolloClient({
    cache: new InMemoryCache(),
    clientAwareness: { name: 'storefront', version: '1' },
    link: ApolloLink.from([
      renewToken(session),
      new SetContextLink(async ({ token }) => authorized(token ?? (await session.token()))),
      new PersistedQueryLink({
        ...generatePersistedQueryIdsFromManifest({ loadManifest: loadIdentifiers }),
        useGETForHashedQueries: true,
      }),
      new HttpLink({ uri: graphUrl }),
    ]),
  });
}

function renewToken(session: Session): ApolloLink {
  return new ErrorLink(({ error, operation, forward }) => {
    const { token: rejected, isRenewed } = operation.getContext();
    if (!ServerError.is(error) || error.statusCode !== 401 || isRenewed === true) {
      return undefined;
    }
    return from(session.renew(rejected)).pipe(
      switchMap((token) => {
        operation.setContext({ token, isRenewed: true });
        return forward(operation);
      }),
    );
  });
}

function authorized(token: string): object {
  return { token, headers: { authorization: `Bearer ${token}` } };
}
