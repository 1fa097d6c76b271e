import type { QueryPlan } from '@apollo/query-planner';

/** The result of planning: a plan in the format of Apollo's planner, or the reason why there is none. */
export type PlanningResult = (
  | { readonly node: QueryPlan['node'] }
  /** Made only from what the client sent, so it is safe to show. */
  | { readonly rejection: string }
) & {
  /** The planning time, without the wait; absent when it was not measured. */
  readonly durationMs?: number;
};

/** Plans operations of one supergraph. */
export interface Planner {
  /**
   * @param operation the text of one operation without named fragments, valid for the schema that is planned
   * @param labels of progressive overrides, those that are set
   * @param caller the caller; callers take turns
   * @throws {PlannerBusyError} where too many operations wait already, or no thread can be started
   */
  plan(operation: string, labels?: readonly string[], caller?: string): Promise<PlanningResult>;
  /** Frees the planner's resources, once all waiting operations are planned. */
  close(): Promise<void>;
}

/** An operation cannot be planned now: too many wait, or the system is short of threads. It may be tried again. */
export class PlannerBusyError extends Error {
  override readonly name = 'PlannerBusyError';

  constructor(message = 'Too many operations wait to be planned', options: ErrorOptions = {}) {
    super(message, options);
  }
}
