export { createEntityTags, type EntityTags, type Representation } from './entity-tags.ts';
export { hasValidator } from './has-validator.ts';
