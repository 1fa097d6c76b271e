import { fileURLToPath } from 'node:url';

/** The folder for Rover's plugins and settings: outside version control, and never the user's home. */
export const roverFolder = fileURLToPath(new URL('../../../../../.data/rover', import.meta.url));
