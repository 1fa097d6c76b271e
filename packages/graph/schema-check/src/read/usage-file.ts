import { readFileSync } from 'node:fs';

import { CommandError } from '@meridian/settings/command-line';
import { isRecord } from '@meridian/settings/values';

/** Recorded usage, as `pnpm graph usage --export` writes it. */
export interface RecordedUsage {
  readonly format: 'meridian-usage';
  readonly version: 1;
  /** ISO 8601. */
  readonly exportedAt: string;
  /** The window of the uses. */
  readonly days: number;
  /** For how many days there are records at all. */
  readonly recordedDays: number;
  readonly operations: readonly RecordedOperation[];
}

export interface RecordedOperation {
  /** Empty for an anonymous one. */
  readonly name: string;
  /** The document with its literal values hidden; null where it was recorded by an earlier release. */
  readonly text: string | null;
  /** SHA-256 of the text in base64url, of an operation of a manifest. */
  readonly queryHash: string | null;
  /** `Type.field` */
  readonly fields: readonly string[];
  readonly uses: readonly RecordedUse[];
}

/** The use of an operation by one version of a client. */
export interface RecordedUse {
  readonly client: string;
  readonly version: string;
  readonly requests: number;
  readonly lastDay: string;
  /** Requests by day; absent in a file of an earlier release, as are the figures below. */
  readonly daily?: Readonly<Record<string, number>>;
  /** The share of requests that ended with errors, beside data or without: 0 to 1. */
  readonly failedShare?: number | null;
  /** 95 of 100 requests took no longer. */
  readonly p95Ms?: number | null;
  /** The mean estimated cost. */
  readonly cost?: number | null;
  /**
   * Input objects, their fields and enum values that its variables held; null where some of the requests did not record
   * them.
   */
  readonly inputs: readonly string[] | null;
}

/** @throws {CommandError} for a file that is not an export of usage */
export function readUsageFile(path: string): RecordedUsage {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CommandError(`Cannot read the usage ${path}: it is not there, or is not JSON`, {
      cause: error,
    });
  }
  if (!isUsage(value)) {
    throw new CommandError(
      `Cannot read the usage ${path}: it is not what \`pnpm graph usage --export ${path}\` writes (format meridian-usage, version 1)`,
    );
  }
  return value;
}

function isUsage(value: unknown): value is RecordedUsage {
  return (
    isRecord(value) &&
    value['format'] === 'meridian-usage' &&
    value['version'] === 1 &&
    isText(value['exportedAt']) &&
    isNumber(value['days']) &&
    isNumber(value['recordedDays']) &&
    isListOf(value['operations'], isOperation)
  );
}

function isOperation(value: unknown): boolean {
  return (
    isRecord(value) &&
    isText(value['name']) &&
    isNullOr(value['text'], isText) &&
    isNullOr(value['queryHash'], isText) &&
    isListOf(value['fields'], isText) &&
    isListOf(value['uses'], isUse)
  );
}

function isUse(value: unknown): boolean {
  return (
    isRecord(value) &&
    isText(value['client']) &&
    isText(value['version']) &&
    isNumber(value['requests']) &&
    isText(value['lastDay']) &&
    isRecord(value['daily'] ?? {}) &&
    isListOf(Object.values(value['daily'] ?? {}), isNumber) &&
    // A file of an earlier release has no figures.
    ['failedShare', 'p95Ms', 'cost'].every((name) => isNullOr(value[name] ?? null, isNumber)) &&
    isNullOr(value['inputs'], (inputs) => isListOf(inputs, isText))
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

function isNullOr(value: unknown, isOther: (value: unknown) => boolean): boolean {
  return value === null || isOther(value);
}

function isListOf(value: unknown, isItem: (value: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => isItem(item));
}
