/** Decides whether the observations of one account are possible on a store that loses no update. */

/** A write with `If-Match: from`. Times are of one clock, in milliseconds; `balance` is never written twice. */
export interface Write {
  readonly kind: 'write';
  readonly from: string;
  readonly balance: number;
  /**
   * `'unknown'`: no response, or one with an unknown outcome. It may have been written, at any time from its start on.
   */
  readonly outcome: { readonly to: string } | 'refused' | 'unknown';
  readonly startMs: number;
  readonly endMs: number;
}

export interface Read {
  readonly kind: 'read';
  readonly etag: string;
  readonly balance: number;
  readonly startMs: number;
  readonly endMs: number;
}

export type Operation = Write | Read;

/**
 * The faults of a history, as sentences; none when it is linearizable. `initial` is the state that the account was
 * created in.
 *
 * Successful writes must form one unbranched chain from there, in which writes of unknown outcome are optional links.
 * Each state that was seen is a link of it, with the balance that was written. An operation that started after another
 * had ended sees at least as much.
 */
export function faultsOf(
  initial: { etag: string; balance: number },
  history: readonly Operation[],
): string[] {
  const faults: string[] = [];
  const writes = history.filter((operation) => operation.kind === 'write');
  const balances = new Map([[initial.etag, initial.balance]]);
  const next = new Map<string, string>();

  const link = (from: string, to: string, balance: number) => {
    const branch = next.get(from);
    if (branch !== undefined && branch !== to) {
      faults.push(`a lost update: both ${branch} and ${to} follow ${from}`);
    }
    next.set(from, to);
    balances.set(to, balance);
  };
  for (const { outcome, from, balance } of writes) {
    if (typeof outcome === 'object') {
      link(from, outcome.to, balance);
    }
  }
  // The balance of a state identifies its writer, even one that got no response.
  for (const seen of statesSeen(history)) {
    if (balances.has(seen.etag)) {
      continue;
    }
    const writer = writes.find(({ outcome, balance }) => outcome === 'unknown' && balance === seen.balance);
    if (writer === undefined) {
      faults.push(`nobody wrote ${seen.etag} with the balance ${seen.balance}`);
    } else {
      link(writer.from, seen.etag, seen.balance);
    }
  }

  const place = new Map<string, number>();
  for (
    let etag: string | undefined = initial.etag;
    etag !== undefined && !place.has(etag);
    etag = next.get(etag)
  ) {
    place.set(etag, place.size);
  }
  for (const etag of balances.keys()) {
    if (!place.has(etag)) {
      faults.push(`${etag} is not a link of the chain`);
    }
  }
  return [...faults, ...wrongBalances(history, balances), ...wrongOrder(history, place)];
}

/** The states that clients saw: those that they read, and those that their writes replaced. */
function statesSeen(history: readonly Operation[]): { etag: string; balance: number }[] {
  return history.filter((operation) => operation.kind === 'read');
}

function wrongBalances(history: readonly Operation[], balances: ReadonlyMap<string, number>): string[] {
  return history.flatMap((operation) =>
    operation.kind === 'read' && balances.get(operation.etag) !== operation.balance
      ? [
          `${operation.etag} was read with the balance ${operation.balance}, not ${balances.get(operation.etag)}`,
        ]
      : [],
  );
}

function wrongOrder(history: readonly Operation[], place: ReadonlyMap<string, number>): string[] {
  const faults: string[] = [];
  const byEnd = history.toSorted((one, other) => one.endMs - other.endMs);
  const byStart = history.toSorted((one, other) => one.startMs - other.startMs);
  let furthestEnded = 0;
  let ended = 0;
  for (const operation of byStart) {
    for (; ended < byEnd.length && (byEnd[ended]?.endMs ?? 0) < operation.startMs; ended += 1) {
      furthestEnded = Math.max(furthestEnded, placeOf(byEnd[ended], place) ?? 0);
    }
    const seen = placeOf(operation, place);
    if (seen !== undefined && seen < furthestEnded) {
      faults.push(`a ${operation.kind} saw link ${seen} after link ${furthestEnded} had been seen`);
    }
  }
  return faults;
}

/** The link that an operation proves: it existed when the operation ended. */
function placeOf(operation: Operation | undefined, place: ReadonlyMap<string, number>): number | undefined {
  if (operation === undefined) {
    return undefined;
  }
  if (operation.kind === 'read') {
    return place.get(operation.etag);
  }
  return typeof operation.outcome === 'object' ? place.get(operation.outcome.to) : undefined;
}
