import { useCallback, useEffect, useState } from 'react';

import type { Entry, Ledger, Page } from '../ledger/ledger.ts';
import { concerns } from '../ledger/ledger.ts';

export interface Entries {
  /** Newest first; undefined until the first page is there. */
  readonly page: Page<Entry> | undefined;
  readonly error: unknown;
  /** True while changes show as they happen. */
  readonly isLive: boolean;
  readonly loadOlder: () => void;
}

/** The entries of an account, and those that are added while it is shown. */
export function useEntries(ledger: Ledger, accountId: string): Entries {
  const [page, setPage] = useState<Page<Entry>>();
  const [error, setError] = useState<unknown>();
  const [isLive, setIsLive] = useState(false);

  useEffect(() => {
    const stop = new AbortController();
    const refresh = oneAtATime(async () => {
      try {
        const newest = await ledger.entries(accountId, null, stop.signal);
        setPage((known) => withNewest(known, newest));
        setError(undefined);
      } catch (error) {
        if (!stop.signal.aborted) {
          setError(error);
        }
      }
    });
    refresh();
    ledger.follow(
      {
        onState(isLive) {
          setIsLive(isLive);
          // Of the changes before it was live, no event says.
          refresh();
        },
        onEvent(event) {
          if (concerns(event, accountId)) {
            refresh();
          }
        },
      },
      stop.signal,
    );
    return () => stop.abort();
  }, [ledger, accountId]);

  const cursor = page?.next_cursor ?? null;
  const loadOlder = useCallback(() => {
    ledger
      .entries(accountId, cursor, new AbortController().signal)
      .then((older) => setPage((known) => withOlder(known, older)), setError);
  }, [ledger, accountId, cursor]);

  return { page, error, isLive, loadOlder };
}

/** The known entries after the newest; the newest alone where entries between them are not known. */
function withNewest(known: Page<Entry> | undefined, newest: Page<Entry>): Page<Entry> {
  const added = newest.items.findIndex(({ id }) => id === known?.items[0]?.id);
  return known === undefined || added === -1
    ? newest
    : { ...known, items: [...newest.items.slice(0, added), ...known.items] };
}

function withOlder(known: Page<Entry> | undefined, older: Page<Entry>): Page<Entry> {
  return { ...older, items: [...(known?.items ?? []), ...older.items] };
}

/** Runs the work when it is called; calls meanwhile make it run again. */
function oneAtATime(work: () => Promise<void>): () => void {
  let isRunning = false;
  let isDue = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (isDue) {
      isDue = false;
      await work();
    }
    isRunning = false;
  };
  return () => {
    isDue = true;
    if (!isRunning) {
      void run();
    }
  };
}
