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
export { AppFileError, readApps, readMembers } from './read-apps.ts';
