import type { RecordedOperation, RecordedUsage, RecordedUse } from '../../src/read/usage-file.ts';

/** One use by the client `app`. */
export function use(parts: Partial<RecordedUse> = {}): RecordedUse {
  return { client: 'app', version: '4.1', requests: 12, lastDay: '2026-01-30', inputs: [], ...parts };
}

export function recorded(name: string, text: string, uses: readonly RecordedUse[]): RecordedOperation {
  return { name, text, queryHash: null, fields: [], uses };
}

/** Usage that is sufficient on 31 January 2026. */
export function usageOf(
  operations: readonly RecordedOperation[],
  parts: Partial<RecordedUsage> = {},
): RecordedUsage {
  return {
    format: 'meridian-usage',
    version: 1,
    exportedAt: '2026-01-31T06:00:00Z',
    days: 30,
    recordedDays: 45,
    operations,
    ...parts,
  };
}
