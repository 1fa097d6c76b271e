/** Holds requests back for a moment. */
export interface RequestGate {
  /** Starts a request: now, or when the gate opens. */
  pass(start: () => void): void;
  /** True while requests wait. */
  readonly isShut: boolean;
  /** From now on requests wait. `onArrival` is called with each. */
  shut(onArrival: () => void): void;
  /** Starts the waiting requests in order. Later ones do not wait. */
  open(): void;
}

export function createRequestGate(): RequestGate {
  let waiting: (() => void)[] | undefined;
  let noteArrival: (() => void) | undefined;
  return {
    pass(start) {
      if (waiting === undefined) {
        start();
      } else {
        waiting.push(start);
        noteArrival?.();
      }
    },
    get isShut() {
      return waiting !== undefined;
    },
    shut(onArrival) {
      waiting ??= [];
      noteArrival = onArrival;
    },
    open() {
      const held = waiting ?? [];
      waiting = undefined;
      for (const start of held) {
        start();
      }
    },
  };
}
