export { type App, type AppKind, appFile, appNamePattern, variableOf } from './app.ts';
export { AppFileError } from './app-file-error.ts';
export { readApps } from './read-apps.ts';
