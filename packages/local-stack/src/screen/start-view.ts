import type { Status } from './status.ts';

/** Shows the start, as it goes. */
export interface StartView {
  show(name: string, status: Status): void;
  /** Ends it, before anything else is written. */
  end(): void;
}

/** A thing that is shown from the beginning. */
export interface ScreenEntry {
  readonly name: string;
  readonly address: string;
  /** Where it writes what happens to it. */
  readonly log: string;
}
