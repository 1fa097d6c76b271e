import { alignColumns } from '@meridian/settings/command-line';

import { quantileMs } from './durations.ts';
import type { OperationUse } from './usage-records.ts';

/** Figures of an operation of a client, for reading. Unknown ones are null. */
export interface OperationReport {
  /** Empty for an anonymous one. */
  readonly operation: string;
  /** Empty where the client did not say. */
  readonly client: string;
  readonly version: string;
  readonly requests: number;
  /** The share of requests that ended with errors, beside data or without: 0 to 1. */
  readonly failedShare: number | null;
  /** 95 of 100 requests took no longer; up to a quarter too high. */
  readonly p95Ms: number | null;
  /** The mean estimated cost. */
  readonly cost: number | null;
  /** The last day on which it was used: `2026-01-31`. */
  readonly lastDay: string;
}

export function operationReport(use: OperationUse): OperationReport {
  const { operation, clientName: client, clientVersion: version, requests, measured, lastDay } = use;
  const ofMeasured = (sum: number): number | null => (measured === 0 ? null : sum / measured);
  return {
    operation,
    client,
    version,
    requests,
    failedShare: ofMeasured(use.failed),
    p95Ms: quantileMs(use.durations, 0.95) ?? null,
    cost: ofMeasured(use.cost),
    lastDay,
  };
}

const columns = ['operation', 'requests', 'errors', 'p95', 'cost', 'last on'] as const;

/** A table for each client and version. */
export function operationTables(reports: readonly OperationReport[]): string {
  const byClient = Map.groupBy(reports, ({ client, version }) => `${client} ${version}`.trim());
  return [...byClient].map(([client, ofClient]) => table(client, ofClient)).join('\n');
}

function table(client: string, reports: readonly OperationReport[]): string {
  const rows = [columns, ...reports.map(cells)];
  const lines = alignColumns(rows, 1);
  return `${client === '' ? 'an unnamed client' : client}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function cells(report: OperationReport): readonly string[] {
  const { operation, requests, failedShare, p95Ms, cost, lastDay } = report;
  return [
    operation === '' ? '(anonymous)' : operation,
    String(requests),
    failedShare === null ? '-' : `${(failedShare * 100).toFixed(1)} %`,
    p95Ms === null ? '-' : `${p95Ms.toFixed(0)} ms`,
    cost === null ? '-' : cost.toFixed(1),
    lastDay,
  ];
}
