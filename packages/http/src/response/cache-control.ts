/** For every 200 of the resource API: its caller alone may keep it, and asks each time whether it is still current. */
export const privateCacheControl = 'private, max-age=0, must-revalidate';
