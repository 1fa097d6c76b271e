import { randomUUID } from 'node:crypto';

/** News of changes, among the processes of a service: whose log may have grown. */
export interface Changes {
  /** To be called after the commit of a change. The other processes hear of it within some 50 ms. */
  tell(tenantId: string): void;
  /**
   * Calls the listener with the tenants of a change, of this process or another one, and without any where news may have
   * been missed. Takes a connection, the first time.
   */
  listen(listener: (tenantIds: readonly string[] | undefined) => void): void;
  /** True while the news of other processes come. */
  readonly isHearing: boolean;
  /** Ends what `listen` began. */
  stopListening(): void;
}

/** Carries texts among the processes of a service. Some may get lost. */
export interface Channel {
  publish(text: string): Promise<void>;
  /** @param onStart called when texts come from now on */
  subscribe(onText: (text: string) => void, onStart: () => void): Subscription;
}

export interface Subscription {
  readonly isActive: boolean;
  close(): void;
}

/** The time from one text to the next, so that writes cost others the same, however many there are. */
const betweenTextsMs = 50;
/** PostgreSQL takes less than 8000 bytes. */
const maxTextBytes = 7000;

interface News {
  readonly from: string;
  /** Absent for any. */
  readonly tenants?: readonly string[];
}

/**
 * Tells of changes after their commit, for several at once. A `NOTIFY` in the transaction of each change would make all
 * commits of the database take one lock, one after another.
 */
export function createChanges(channel: Channel): Changes {
  const self = randomUUID();
  const listeners: ((tenantIds: readonly string[] | undefined) => void)[] = [];
  const untold = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let lastMs = Number.NEGATIVE_INFINITY;
  let subscription: Subscription | undefined;

  const pass = (tenantIds: readonly string[] | undefined): void =>
    listeners.forEach((listener) => listener(tenantIds));
  const publish = (): void => {
    timer = undefined;
    lastMs = performance.now();
    const text = JSON.stringify({ from: self, tenants: [...untold] } satisfies News);
    untold.clear();
    // Lost news are found by those who wait: they look each second or two.
    channel
      .publish(Buffer.byteLength(text) > maxTextBytes ? JSON.stringify({ from: self } satisfies News) : text)
      .catch(() => undefined);
  };
  const onText = (text: string): void => {
    const news = newsIn(text);
    if (news !== undefined && news.from !== self) {
      pass(news.tenants);
    }
  };
  return {
    tell(tenantId) {
      pass([tenantId]);
      untold.add(tenantId);
      timer ??= setTimeout(publish, Math.max(0, lastMs + betweenTextsMs - performance.now())).unref();
    },
    listen(listener) {
      listeners.push(listener);
      subscription ??= channel.subscribe(onText, () => pass(undefined));
    },
    get isHearing() {
      return subscription?.isActive === true;
    },
    stopListening() {
      listeners.length = 0;
      subscription?.close();
      subscription = undefined;
    },
  };
}

/** Undefined for a text of another program. */
function newsIn(text: string): News | undefined {
  try {
    const news: unknown = JSON.parse(text);
    return isNews(news) ? news : undefined;
  } catch {
    return undefined;
  }
}

function isNews(value: unknown): value is News {
  return (
    typeof value === 'object' &&
    value !== null &&
    'from' in value &&
    (!('tenants' in value) || Array.isArray(value.tenants))
  );
}
