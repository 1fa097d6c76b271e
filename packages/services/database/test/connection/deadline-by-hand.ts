/** A request's deadline that passes when the test says so, however slow the machine is. */
export interface DeadlineByHand {
  readonly signal: AbortSignal;
  /** Aborts the signal, with the reason that `AbortSignal.timeout` has. */
  readonly pass: () => void;
}

export function deadlineByHand(): DeadlineByHand {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    pass: () => controller.abort(new DOMException('The deadline has passed', 'TimeoutError')),
  };
}
