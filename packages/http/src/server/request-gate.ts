import type { RequestListener } from 'node:http';

/** A request listener that can hold requests back for a moment. */
export interface RequestGate {
  readonly listener: RequestListener;
  /** From now on requests wait. */
  shut(): void;
  /** Passes on the waiting requests in order, and all later ones. */
  open(): void;
}

export function createRequestGate(handler: RequestListener): RequestGate {
  let waiting: Parameters<RequestListener>[] | undefined;
  return {
    listener(request, response) {
      if (waiting === undefined) {
        handler(request, response);
      } else {
        waiting.push([request, response]);
      }
    },
    shut() {
      waiting ??= [];
    },
    open() {
      const held = waiting ?? [];
      waiting = undefined;
      for (const exchange of held) {
        handler(...exchange);
      }
    },
  };
}
