/** For a representation of a resource: its caller alone may keep it, and asks each time whether it is still current. */
export const privateCacheControl = 'private, max-age=0, must-revalidate';

/** For a text that is the same for everyone. A changed one is everywhere five minutes after a release. */
export const publicCacheControl = 'public, max-age=300';
