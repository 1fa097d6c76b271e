import { fileURLToPath } from 'node:url';

// Here and not in a folder: bundled for npm, this is a file of `dist`, as far from `defaults` as `src`.

/** The configuration where there is none. */
export const defaultConfigPath = fileURLToPath(new URL('../defaults/router.yaml', import.meta.url));

/** Laid over the configuration for `--dev`. */
export const developmentOverlayPath = fileURLToPath(new URL('../defaults/development.yaml', import.meta.url));

/** Has the version, in a package of npm. */
export const packageFile = new URL('../package.json', import.meta.url);
