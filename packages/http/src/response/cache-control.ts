/** For every 200 of the resource API: only its caller may store it, and must revalidate it each time. */
export const privateCacheControl = 'private, max-age=0, must-revalidate';
