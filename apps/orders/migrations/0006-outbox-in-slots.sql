-- Unread events go after 30 days too.
\ir ../../../packages/services/events/migrations/0002-outbox-in-slots.sql
