export { bundleExplorer } from './bundle-explorer.ts';
export type { StoredPage } from './read-explorer.ts';
