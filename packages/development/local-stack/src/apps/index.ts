export {
  type App,
  type AppKind,
  appFile,
  appNamePattern,
  appNameTakes,
  type ExternalSubgraph,
  isExternal,
  type Member,
  nameInVariable,
  variableOf,
  variablePrefixOf,
} from './app-definition.ts';
export { headerType, ownerType, urlType } from './parse-app-file.ts';
export { AppFileError } from './app-file-error.ts';
export { readApps, readMembers } from './read-apps.ts';
