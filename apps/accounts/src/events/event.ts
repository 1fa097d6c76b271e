/** A change of the service, as its log has it. */
export interface Event {
  readonly id: string;
  readonly type: EventType;
  /** The path of the changed resource. */
  readonly subject: string;
  /** ISO 8601 in UTC, with microseconds. */
  readonly time: string;
  /** JSON: the resource after the change. */
  readonly data: string;
  /** Issuer and subject of the token; null for an event that no caller caused. */
  readonly actor: { readonly issuer: string; readonly subject: string } | null;
}

export const eventTypes = [
  'account.created',
  'account.updated',
  'transfer.completed',
  'transfer.reversed',
  'hold.created',
  'hold.captured',
  'hold.released',
  'hold.expired',
] as const;

export type EventType = (typeof eventTypes)[number];

/** The end of a page of the log. */
export interface LogPosition {
  /** Of the last event that was passed, which a filter may have left out. */
  readonly position: bigint;
  /** The ten days of the log in which it was passed, counted since 1970. */
  readonly period: number;
}
