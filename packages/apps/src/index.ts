export { type App, type AppKind, appFile, appNamePattern, variableOf } from './app-definition.ts';
export { AppFileError } from './app-file-error.ts';
export { readApps } from './read-apps.ts';
