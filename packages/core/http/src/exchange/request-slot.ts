import type { IncomingMessage } from 'node:http';

/** A typed value that one middleware attaches to a request for later ones, without a wider request type. */
export interface RequestSlot<Value> {
  readonly fill: (request: IncomingMessage, value: Value) => void;
  /**
   * The value; throws if the middleware that fills the slot has not run, which is a mistake in the order of middleware.
   */
  readonly read: (request: IncomingMessage) => Value;
  /** The value; undefined if that middleware has not run. */
  readonly peek: (request: IncomingMessage) => Value | undefined;
}

/**
 * Creates a slot. The value is a property of the request, under a symbol: a WeakMap with such short-lived keys costs
 * the garbage collector more than everything else about a request.
 *
 * @param filledBy the middleware that fills the slot, for the error message
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
