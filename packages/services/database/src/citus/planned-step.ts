import type { Client } from 'pg';

/** A part of the distribution. */
export interface PlannedStep {
  readonly step: string;
  /** Checks the database: undefined if the step is already done. */
  find(client: Client): Promise<(() => Promise<unknown>) | undefined>;
}
