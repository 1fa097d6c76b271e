// Apart from TypeScript: the types of graphql-yoga declare every global of a browser.
export { createYoga } from 'graphql-yoga';
