import { requestError } from '../../errors/request-error.ts';

/** The texts that may run. */
export interface Safelist {
  /** By the key of the canonical text. */
  readonly has: (canonicalKey: string) => boolean;
  /** True when a text outside the manifest is rejected, not only logged. */
  readonly isEnforced: boolean;
  /** Called with a text that is not listed; logs it. */
  readonly onUnknown?: ((text: string) => void) | undefined;
}

/**
 * Rejects a text that is not in the safelist. Layout does not matter.
 *
 * @throws {RequestError} QUERY_NOT_IN_SAFELIST
 */
export function checkSafelist(
  canonicalKey: string,
  canonicalText: () => string,
  { has, isEnforced, onUnknown }: Safelist,
): void {
  if (has(canonicalKey)) {
    return;
  }
  onUnknown?.(canonicalText());
  if (isEnforced) {
    throw requestError('QUERY_NOT_IN_SAFELIST', 'The operation is not in the list of persisted operations');
  }
}
