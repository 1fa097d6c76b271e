import { counted } from '@meridian/settings/command-line';

import type { DeprecationDay } from './deprecated-since.ts';

/** The time that clients have to leave a deprecated element. */
export interface DueDay {
  /** The day from which on the rules let it be removed: `2026-01-31`; absent where history does not say. */
  readonly due: string | undefined;
  /** Not positive where it is due; absent where history does not say. */
  readonly daysLeft: number | undefined;
}

const dayMs = 86_400_000;

/**
 * Computes the day when a deprecated element may be removed. The days of one that is not committed yet begin today.
 *
 * @param since absent where no history is at hand
 * @param deprecationDays of schema-check.yaml
 */
export function dueDay(since: DeprecationDay | undefined, deprecationDays: number, today: Date): DueDay {
  if (since === undefined || (!since.isExact && since.since !== null)) {
    return { due: undefined, daysLeft: undefined };
  }
  const todayMs = Date.parse(dayOf(today));
  const dueMs = (since.since === null ? todayMs : Date.parse(since.since)) + deprecationDays * dayMs;
  return { due: dayOf(new Date(dueMs)), daysLeft: Math.round((dueMs - todayMs) / dayMs) };
}

/** `since 2026-01-02, due 2026-02-01 (in 12 days)` */
export function describeDue(day: DeprecationDay | undefined, { due, daysLeft }: DueDay): string {
  const since = describeSince(day);
  if (due === undefined || daysLeft === undefined) {
    return since;
  }
  return `${since}, due ${daysLeft > 0 ? `${due} (in ${counted(daysLeft, 'day')})` : 'now'}`;
}

/** `since 2026-01-02` */
export function describeSince(day: DeprecationDay | undefined): string {
  if (day === undefined) {
    return 'since an unknown day: git has no history of it here';
  }
  if (day.since === null) {
    return 'not committed yet';
  }
  return day.isExact ? `since ${day.since}` : `since ${day.since} or earlier: the history here starts then`;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
