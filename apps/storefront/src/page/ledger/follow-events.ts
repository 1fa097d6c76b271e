/** The part of an event that the page needs. */
export interface LedgerEvent {
  readonly subject: string;
  readonly data: {
    readonly account_id?: string;
    readonly from_account_id?: string;
    readonly to_account_id?: string;
  };
}

export interface Live {
  /** Called with true when events arrive as they happen, and with false when they no longer do. */
  readonly onState: (isLive: boolean) => void;
  readonly onEvent: (event: LedgerEvent) => void;
}

interface EventPage {
  readonly items: readonly LedgerEvent[];
  readonly next_cursor: string;
}

export interface FollowOptions {
  readonly read: <Body>(path: string, signal: AbortSignal) => Promise<Body>;
  readonly live: Live;
  readonly signal: AbortSignal;
}

const pauseMs = 1000;

/** Passes what the log has, then calls `onEvent` for each event as it happens. Never rejects. */
export async function followEvents({ read, live, signal }: FollowOptions): Promise<void> {
  let after: string | undefined;
  let isLive = false;
  while (!signal.aborted) {
    try {
      const query = after === undefined ? '' : `&after=${encodeURIComponent(after)}`;
      const page = await read<EventPage>(`/events?limit=100${query}`, signal);
      after = page.next_cursor;
      if (isLive) {
        page.items.forEach(live.onEvent);
      }
      if (page.items.length > 0) {
        continue;
      }
      if (!isLive) {
        isLive = true;
        live.onState(true);
      }
    } catch {
      if (signal.aborted) {
        return;
      }
      isLive = false;
      after = undefined;
      live.onState(false);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
