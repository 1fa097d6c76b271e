export { bundleExplorer } from './bundle-explorer.ts';
