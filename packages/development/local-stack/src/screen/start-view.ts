import type { Status } from './status.ts';

/** Shows the start, as it goes. */
export interface StartView {
  show(name: string, status: Status): void;
  /** Ends it, before anything else is written. */
  end(): void;
}

/** A process that is shown from the beginning. */
export interface ScreenEntry {
  readonly name: string;
  readonly address: string;
  /** The file of its log. */
  readonly log: string;
}
