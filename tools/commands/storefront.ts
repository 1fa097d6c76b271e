// `pnpm storefront`: the example client in a browser, over the running stack, whichever ports that has.
import process from 'node:process';

import { defaultDataRoot } from '@meridian/local-stack/data-directory';
import { findStack } from '@meridian/local-stack/explained-gateway';

const stack = findStack(defaultDataRoot);
const running = { GRAPH_URL: stack?.graphUrl, ACCOUNTS_URL: stack?.accountsUrl };
for (const [name, url] of Object.entries(running)) {
  if (url !== undefined) {
    process.env[name] ??= url;
  }
}
await import('../../apps/storefront/src/main.ts');
