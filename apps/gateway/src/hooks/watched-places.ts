/** The places of the memory that a watching thread shares, for each graph: the hook that runs, and calls under way by hook. */
export const watchedPlaces = { running: 0, pending: 1 } as const;

/** The interval between signs that the event loop turns, and the time without one after which it is blocked. */
export const beatMs = 100;
export const blockedMs = 1000;
