export { dropOldEvents } from './drop-old-events.ts';
export { createEventCursors, type EventCursors } from './event-cursors.ts';
export { createEventStore, type EventStore } from './event-store.ts';
export type { Actor, Event, EventFilter, EventSource, LogPosition } from './event.ts';
export { eventsRoute } from './events-route.ts';
