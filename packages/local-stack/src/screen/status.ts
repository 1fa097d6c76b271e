import type { Health } from '../run/supervise.ts';

/** How something is, in a few words. */
export interface Status {
  readonly mood: 'waiting' | 'busy' | 'good' | 'bad';
  readonly text: string;
}

export const waiting: Status = { mood: 'waiting', text: 'waiting' };

/** What the screen says of a health. */
export function statusOf(health: Health): Status {
  return health.is === 'down'
    ? { mood: 'bad', text: health.how }
    : { mood: moods[health.is], text: health.is };
}

const moods = { starting: 'busy', ready: 'good', stopping: 'busy', stopped: 'waiting' } as const;
