export { DeadlineQueue } from './deadline-queue.ts';
export type { Deadline } from './deadline-queue.ts';
export { StopController } from './stop-signal.ts';
export type { StopSignal } from './stop-signal.ts';
