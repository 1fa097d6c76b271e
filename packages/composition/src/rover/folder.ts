import { fileURLToPath } from 'node:url';

/** Where Rover keeps what it keeps: its plugins and settings. Out of version control, and never the user's own home. */
export const roverFolder = fileURLToPath(new URL('../../../../.data/rover', import.meta.url));
