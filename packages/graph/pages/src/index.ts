export { bundlePage, type BrowserPage, type PageFile, type PageOptions } from './bundle-page.ts';
