export type { Changes } from './changes/changes.ts';
export { dropOldEvents } from './drop-old-events.ts';
export { eventWriter } from './event-schemas.ts';
export { createEventStore, eventOf, type EventRow, type EventStore } from './event-store.ts';
export type { Actor, Event, EventFilter, EventSource, LogPosition, LoggedEvent } from './event.ts';
export { eventsRoute } from './events-route.ts';
export { openEventLog } from './open-event-log.ts';
export type { FollowLog } from './watch/follow-log.ts';
export { createEventWatch, type EventWatch, type EventWatchOptions } from './watch/event-watch.ts';
