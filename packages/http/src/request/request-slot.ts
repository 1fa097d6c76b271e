import type { IncomingMessage } from 'node:http';

/** A typed value that one stage leaves with a request for those after it, without widening the request's own type. */
export interface RequestSlot<Value> {
  readonly fill: (request: IncomingMessage, value: Value) => void;
  /** The value; throws where the stage that fills the slot has not run, which is a mistake in the order of stages. */
  readonly read: (request: IncomingMessage) => Value;
  /** The value, or undefined where the stage has not run. */
  readonly peek: (request: IncomingMessage) => Value | undefined;
}

/**
 * The value is kept in the request itself, below a symbol: a WeakMap whose keys are as short-lived as requests costs the
 * garbage collector more than all else that a request leaves behind.
 *
 * @param filledBy the stage that fills the slot, for the message of a mistake
 */
export function createRequestSlot<Value extends object>(filledBy: string): RequestSlot<Value> {
  const key = Symbol(filledBy);
  type Slotted = IncomingMessage & { [key]?: Value };
  return {
    fill(request: Slotted, value) {
      request[key] = value;
    },
    peek: (request: Slotted) => request[key],
    read(request: Slotted) {
      const value = request[key];
      if (value === undefined) {
        throw new Error(`Cannot read what ${filledBy} leaves with a request: it has not run`);
      }
      return value;
    },
  };
}
