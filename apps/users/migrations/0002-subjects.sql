-- The `sub` of the tokens that a user presents. The users from before have none recorded: it cannot be told from an id.
alter table users
  add column subject text;
