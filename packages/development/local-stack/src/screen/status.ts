import type { Health } from '../run/supervise.ts';

/** A status in a few words. */
export interface Status {
  readonly mood: 'waiting' | 'busy' | 'good' | 'bad';
  readonly text: string;
}

export const waiting: Status = { mood: 'waiting', text: 'waiting' };

/** The status to show for a health. */
export function statusOf(health: Health): Status {
  return health.is === 'down'
    ? { mood: 'bad', text: health.how }
    : { mood: moods[health.is], text: health.is };
}

const moods = { starting: 'busy', ready: 'good', stopping: 'busy', stopped: 'waiting' } as const;
