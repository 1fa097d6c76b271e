import type { ExecutionError } from '../result.ts';
import { maxErrorsOfRun } from './error-bounds.ts';

/** The errors of one run, up to a limit. */
export class RunErrors {
  readonly #kept: ExecutionError[] = [];
  #isOverfull = false;

  get kept(): readonly ExecutionError[] {
    return this.#kept;
  }

  get isFull(): boolean {
    return this.#kept.length >= maxErrorsOfRun;
  }

  note(error: ExecutionError): void {
    if (this.isFull) {
      this.#isOverfull = true;
    } else {
      this.#kept.push(error);
    }
  }

  /** All errors; one error summarises those that were not kept. */
  all(): readonly ExecutionError[] {
    return this.#isOverfull ? [...this.#kept, ...this.summary()] : this.#kept;
  }

  /** One error for those that were not kept. */
  summary(): readonly ExecutionError[] {
    return this.#isOverfull ? [{ kind: 'omitted' }] : [];
  }
}
