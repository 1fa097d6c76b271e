import { EventSourceParserStream } from 'eventsource-parser/stream';

/** A response of accounts other than a success. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly status: number;

  constructor(status: number) {
    super(`accounts responded with ${status}`);
    this.status = status;
  }
}

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

/** Sends a GET with the user's token. */
export type Get = (path: string, accept: string, signal: AbortSignal) => Promise<Response>;

export interface FollowOptions {
  readonly get: Get;
  /** Replaces the token, with which a stream ends. */
  readonly renewToken: () => Promise<unknown>;
  readonly live: Live;
  readonly signal: AbortSignal;
}

const pauseMs = 1000;

/**
 * Calls `onEvent` for each event as it happens, from the end of the log on; again after the connection was lost, where it
 * left off. It is not `EventSource`, which sends no token. Never rejects.
 */
export async function followEvents({ get, renewToken, live, signal }: FollowOptions): Promise<void> {
  let after: string | undefined;
  while (!signal.aborted) {
    try {
      after ??= await endOfLog(get, signal);
      const path = `/events?after=${encodeURIComponent(after)}`;
      const stream = (await expectBody(await get(path, 'text/event-stream', signal)))
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream({ onId: (id) => (after = id) }));
      live.onState(true);
      const reader = stream.getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as its OpenAPI document says
        live.onEvent(JSON.parse(part.value.data) as LedgerEvent);
      }
      await renewToken();
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      live.onState(false);
      if (error instanceof LedgerError) {
        // The log may not go back to the place any more.
        after = undefined;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** The place after all events of the log, which it passes page by page. */
async function endOfLog(get: Get, signal: AbortSignal): Promise<string> {
  let after: string | undefined;
  for (;;) {
    const query = after === undefined ? '' : `&after=${encodeURIComponent(after)}`;
    const response = await get(`/events?limit=100${query}`, 'application/json', signal);
    await expectBody(response);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as its OpenAPI document says
    const page = (await response.json()) as { items: unknown[]; next_cursor: string };
    if (page.items.length === 0) {
      return page.next_cursor;
    }
    after = page.next_cursor;
  }
}

async function expectBody(response: Response): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new LedgerError(response.status);
  }
  return response.body;
}
