import { tryAccounts } from './try-accounts.ts';
import { tryGraph } from './try-graph.ts';

export interface TryItOptions {
  /** A token of alice, of the tenant acme. */
  readonly token: string;
  readonly tokenTtlHours: number;
  readonly accountsUrl: string;
  /** The identifier of an account that does not exist yet. */
  readonly accountId: string;
  readonly graphUrl: string;
  /** The identifier of the operation TopProducts. */
  readonly queryIdentifier: string;
}

/** Lines to paste into bash: the token, then requests to try. */
export function tryIt({
  token,
  tokenTtlHours,
  accountsUrl,
  accountId,
  graphUrl,
  queryIdentifier,
}: TryItOptions): string[] {
  return [
    `# Who is asking: alice, of the tenant acme, for ${tokenTtlHours} hours`,
    `export TOKEN=${token}`,
    '',
    ...tryAccounts(accountsUrl, accountId),
    '',
    ...tryGraph(graphUrl, queryIdentifier),
  ];
}
