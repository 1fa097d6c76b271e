import type { ReadableSchema } from '@meridian/json';

/** The token that a change was made with. A `Caller` is one. */
export interface Actor {
  readonly issuer: string;
  readonly subject: string;
}

/** A change of the service, as its log has it. */
export interface Event {
  readonly id: string;
  readonly type: string;
  /** The path of the changed resource. */
  readonly subject: string;
  /** ISO 8601 in UTC, with microseconds. */
  readonly time: string;
  /** JSON: the resource after the change. */
  readonly data: string;
  /** Null for an event that no caller caused. */
  readonly actor: Actor | null;
}

/** An event with its place in the log. */
export interface LoggedEvent extends Event {
  readonly at: LogPosition;
}

/** The events that a service writes. */
export interface EventSource {
  /** The `source` of its CloudEvents, such as `/accounts`. */
  readonly source: string;
  readonly types: readonly string[];
  /** The schemas that `data` has. */
  readonly data: readonly ReadableSchema<unknown>[];
}

/** The events of a type or of a resource, where one is given. */
export interface EventFilter {
  readonly type?: string | undefined;
  /** The path of the resource. */
  readonly subject?: string | undefined;
}

/** A place in the log of a tenant: after an event. */
export interface LogPosition {
  /** Of the last event that was passed, which a filter may have left out. Each event has the next number. */
  readonly position: bigint;
  /** The ten days of the log in which it was passed, counted since 1970. */
  readonly period: number;
}
