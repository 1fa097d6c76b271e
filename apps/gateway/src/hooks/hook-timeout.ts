import { DeadlineExceeded } from '@meridian/http';

/** A hook did not end in time. */
export class HookTimeout extends DeadlineExceeded {
  constructor(hook: string, timeoutMs: number) {
    super(timeoutMs);
    this.message = `the hook ${hook} took more than its ${timeoutMs} ms`;
  }
}
