import { tryAccounts } from './try-accounts.ts';
import { tryGraph } from './try-graph.ts';

export interface TryItOptions {
  readonly token: string;
  readonly accountsUrl: string;
  /** Of an account that does not exist yet. */
  readonly accountId: string;
  readonly graphUrl: string;
  /** Of the operation TopProducts. */
  readonly queryIdentifier: string;
}

/** Lines to paste into bash: who is asking, then what may be asked. */
export function tryIt({ token, accountsUrl, accountId, graphUrl, queryIdentifier }: TryItOptions): string[] {
  return [
    '# Who is asking: alice, of the tenant acme',
    `export TOKEN=${token}`,
    '',
    ...tryAccounts(accountsUrl, accountId),
    '',
    ...tryGraph(graphUrl, queryIdentifier),
  ];
}
