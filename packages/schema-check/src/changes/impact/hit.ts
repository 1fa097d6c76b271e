import type { KnownOperation } from './known-operation.ts';

/** An operation that a change concerns. */
export interface Hit {
  readonly operation: KnownOperation;
  /**
   * - `invalid`: it does not validate any more.
   * - `response`: its response has another type.
   * - `variables`: variables that clients send are not accepted, or mean something else.
   * - `null`: a variable that may be null is not accepted if it is.
   * - `uses`: it uses what changed, and stays valid.
   */
  readonly how: 'invalid' | 'response' | 'variables' | 'null' | 'uses';
  /** False if it depends on variables that usage does not record. */
  readonly isCertain: boolean;
}
