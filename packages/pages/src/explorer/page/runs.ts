import type { Run } from './gateway.ts';

/** The last run of each operation with its variables, by `keyOfRun`. */
export type Runs = ReadonlyMap<string, Run>;

/** Identifies an operation with its variables, whichever tab it is in. */
export function keyOfRun({
  query,
  operationName,
  variables,
}: {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: unknown;
}): string {
  return JSON.stringify([query, operationName ?? null, variables ?? {}]);
}
