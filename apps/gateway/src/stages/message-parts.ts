import { StageRuleError } from './stage-headers.ts';

/** Statuses that have no body, or no final one, or that only a validator decides. */
const bodiless = new Set([204, 205, 304]);

/** @throws {StageRuleError} for a status that a GraphQL response cannot have */
export function statusOf(status: number): number {
  if (!Number.isInteger(status) || status < 200 || status > 599 || bodiless.has(status)) {
    throw new StageRuleError(`a response with a body cannot have the status ${status}`);
  }
  return status;
}
