export { type ExplorerFile, bundleExplorer } from './bundle/bundle-explorer.ts';
