export { createEntityTags, type EntityTags, type Representation } from './entity-tags.ts';
