import { SharedCall } from './shared-call.ts';

/** Work that is done once for all callers that need it at the same time. */
export interface SingleFlight<Asked, Answer> {
  /**
   * Joins equal work that is under way, or starts it. Rejects with the signal's reason once that has aborted.
   * The work is stopped, by its own signal, when the last caller has abandoned it.
   *
   * @param key a part of the input: inputs with different keys differ, and are not compared
   */
  join(
    key: string,
    asked: Asked,
    signal: AbortSignal,
    start: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer>;
}

interface UnderWay<Asked, Answer> {
  readonly asked: Asked;
  readonly call: SharedCall<Answer>;
}

/** @param isSame whether two that have the same key are the same */
export function createSingleFlight<Asked, Answer>(
  isSame: (one: Asked, other: Asked) => boolean,
): SingleFlight<Asked, Answer> {
  const byKey = new Map<string, readonly UnderWay<Asked, Answer>[]>();

  const startCall = (
    key: string,
    asked: Asked,
    start: (signal: AbortSignal) => Promise<Answer>,
  ): SharedCall<Answer> => {
    const call = new SharedCall(start, () => remove(key, underWay));
    const underWay: UnderWay<Asked, Answer> = { asked, call };
    byKey.set(key, [...(byKey.get(key) ?? []), underWay]);
    return call;
  };
  const remove = (key: string, underWay: UnderWay<Asked, Answer>): void => {
    const others = byKey.get(key)?.filter((one) => one !== underWay) ?? [];
    if (others.length > 0) {
      byKey.set(key, others);
    } else {
      byKey.delete(key);
    }
  };

  return {
    join(key, asked, signal, start) {
      if (signal.aborted) {
        return Promise.reject(signal.reason);
      }
      const same = byKey.get(key)?.find((one) => isSame(one.asked, asked));
      return (same?.call ?? startCall(key, asked, start)).join(signal);
    },
  };
}
