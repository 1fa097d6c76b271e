export interface FollowedEvent {
  /** The cursor after it. */
  readonly cursor: string;
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly tenantid: string;
}

/** A stream of events, read as it comes. */
export interface FollowedStream {
  readonly response: Response;
  readonly events: readonly FollowedEvent[];
  /** The text that came, for what a parser drops. */
  readonly text: () => string;
  /** Resolves when the service has ended the stream in order; rejects when it broke off. */
  readonly ended: Promise<void>;
  /** Resolves with the events once there are so many. */
  reaches(count: number): Promise<readonly FollowedEvent[]>;
  leave(): void;
}

/** Only a loaded machine needs it. */
const maxWaitMs = 60_000;

/** A reader of server-sent events, without the library. */
export async function followEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<FollowedStream> {
  const left = new AbortController();
  const response = await fetch(url, {
    headers: { Accept: 'text/event-stream', ...headers },
    signal: left.signal,
  });
  const events: FollowedEvent[] = [];
  let text = '';
  let unread = '';
  const grown = new Set<() => void>();
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      const part = decoder.decode(bytes, { stream: true });
      text += part;
      const blocks = (unread + part).split('\n\n');
      unread = blocks.pop() ?? '';
      events.push(...blocks.flatMap(eventIn));
      grown.forEach((check) => check());
    }
    if (unread !== '') {
      throw new Error('the stream ended within an event');
    }
  };
  const ended = read();
  ended.catch(() => undefined);
  return {
    response,
    events,
    text: () => text,
    ended,
    async reaches(count) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const check = (): void => (events.length < count ? undefined : resolve());
      const fail = (): void => reject(new Error(`${events.length} of ${count} events`));
      const timer = setTimeout(fail, maxWaitMs);
      grown.add(check);
      void ended.then(fail, fail);
      check();
      await promise;
      clearTimeout(timer);
      grown.delete(check);
      return events;
    },
    leave: () => left.abort(),
  };
}

function eventIn(block: string): FollowedEvent[] {
  const valueOf = (field: string): string | undefined =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${field}: `))
      ?.slice(field.length + 2);
  const data = valueOf('data');
  return data === undefined
    ? []
    : [{ ...(JSON.parse(data) as Omit<FollowedEvent, 'cursor'>), cursor: valueOf('id') ?? '' }];
}
