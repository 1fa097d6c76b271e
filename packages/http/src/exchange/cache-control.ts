/** For every 200 of the resource API: only the caller may store it, and must revalidate it each time. */
export const privateCacheControl = 'private, max-age=0, must-revalidate';
