export type { Changes } from './changes/changes.ts';
export { openChanges, type ChangesOptions } from './changes/open-changes.ts';
export { dropOldEvents } from './drop-old-events.ts';
export { createEventCursors, type EventCursors } from './event-cursors.ts';
export { eventWriter } from './event-schemas.ts';
export { createEventStore, type EventStore } from './event-store.ts';
export type { Actor, Event, EventFilter, EventSource, LogPosition, LoggedEvent } from './event.ts';
export { eventsRoute } from './events-route.ts';
export { createEventWatch, type EventWatch, type EventWatchOptions } from './watch/event-watch.ts';
