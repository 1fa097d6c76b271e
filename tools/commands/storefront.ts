// `pnpm storefront`: the example client in a browser, over the running stack, whichever ports that has.
import process from 'node:process';

import { defaultDataRoot } from '@meridian/local-stack/data-directory';
import { findAccountsUrl, findGraphUrl } from '@meridian/local-stack/explained-gateway';

const running = { GRAPH_URL: findGraphUrl(defaultDataRoot), ACCOUNTS_URL: findAccountsUrl(defaultDataRoot) };
for (const [name, url] of Object.entries(running)) {
  if (url !== undefined) {
    process.env[name] ??= url;
  }
}
await import('../../apps/storefront/src/main.ts');
