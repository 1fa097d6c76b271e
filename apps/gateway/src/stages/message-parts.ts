import { isRecord } from '@meridian/settings/values';

import { StageRuleError } from './stage-headers.ts';

/**
 * A body that code at a stage gives, which may be JavaScript.
 *
 * @param isObject true where it becomes a member of a message, or the place of files
 * @throws {StageRuleError} for a value that is not a text, and for one that is not a JSON object where it has to be
 */
export function bodyOf(given: unknown, isObject = false): string {
  if (typeof given !== 'string') {
    throw new StageRuleError('a body is a text');
  }
  if (isObject && !isJsonObject(given)) {
    throw new StageRuleError(
      'the body of an operation in a batch, over a WebSocket, of a tool or with files is a JSON object',
    );
  }
  return given;
}

function isJsonObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Statuses that have no body, or no final one, or that only a validator decides. */
const bodiless = new Set([204, 205, 304]);

/** @throws {StageRuleError} for a status that a GraphQL response cannot have */
export function statusOf(status: number): number {
  if (!Number.isInteger(status) || status < 200 || status > 599 || bodiless.has(status)) {
    throw new StageRuleError(
      `the status of a response with a body is 200 to 599, but for 204, 205 and 304: not ${status}`,
    );
  }
  return status;
}
