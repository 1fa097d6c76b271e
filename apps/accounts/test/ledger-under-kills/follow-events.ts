import { setTimeout as delay } from 'node:timers/promises';

export interface LedgerEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly data: {
    readonly id: string;
    readonly balance_minor_units: number;
    readonly from_account_id: string;
    readonly to_account_id: string;
    readonly amount_minor_units: number;
  };
}

/**
 * Reads a tenant's events from the first one on, until it is over and there are no more. Tries again after a failure,
 * and rejects where the signal aborts.
 */
export async function followEvents(
  urls: () => readonly string[],
  headers: Readonly<Record<string, string>>,
  isOver: () => boolean,
  signal?: AbortSignal,
): Promise<LedgerEvent[]> {
  const events: LedgerEvent[] = [];
  let after = '';
  for (let turn = 0; ; turn += 1) {
    signal?.throwIfAborted();
    // Read before the page is: what was written until then is in it.
    const isLast = isOver();
    const replicas = urls();
    const page = await readPage(`${replicas[turn % replicas.length]}/events?limit=100${after}`, headers);
    if (page !== undefined) {
      events.push(...page.items);
      after = `&after=${page.next_cursor}`;
    }
    if (page?.items.length === 0 && isLast) {
      return events;
    }
    if (page === undefined || page.items.length < 100) {
      await delay(20);
    }
  }
}

async function readPage(url: string, headers: Readonly<Record<string, string>>) {
  try {
    const response = await fetch(url, { headers });
    const text = await response.text();
    return response.status === 200
      ? (JSON.parse(text) as { readonly items: readonly LedgerEvent[]; readonly next_cursor: string })
      : undefined;
  } catch {
    return undefined;
  }
}
