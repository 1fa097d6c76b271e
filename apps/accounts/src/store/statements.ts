/** What the stores of this service have in common: how a statement is run, and what a failure of it means to a client. */
import { OutcomeUnknown, StoreTimeout, type QueryOptions } from '@meridian/database';
import { problem } from '@meridian/problem-details';

/** Runs one statement: a database, or a transaction of it. */
export interface Statements {
  query<Row extends object>(sql: string, values: readonly unknown[], options: QueryOptions): Promise<Row[]>;
}

/** Spec: GET, "Lookup deadline exceeded". Any other failure stays what it is, and is shown as `internal`. */
export async function reading<Result>(lookup: Promise<Result>): Promise<Result> {
  try {
    return await lookup;
  } catch (error) {
    if (error instanceof StoreTimeout) {
      throw problem('upstream-timeout', 'The store did not answer in time.', { cause: error });
    }
    throw error;
  }
}

/** Spec: PUT, "Any other swap failure". The client has to know whether it can repeat the write as it is. */
export async function writing<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof OutcomeUnknown) {
      throw problem('internal', 'Outcome unknown; read the account again.', { cause: error });
    }
    if (error instanceof StoreTimeout) {
      throw problem('internal', 'The store did not answer in time; nothing was written.', { cause: error });
    }
    throw error;
  }
}
