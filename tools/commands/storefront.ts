// `pnpm storefront`: the example client in a browser, over the running stack, whichever ports that has.
import process from 'node:process';

import { defaultDataRoot } from '@meridian/local-stack/data-directory';
import { findGraphUrl } from '@meridian/local-stack/explained-gateway';

const graphUrl = findGraphUrl(defaultDataRoot);
if (graphUrl !== undefined) {
  process.env['GRAPH_URL'] ??= graphUrl;
}
await import('../../apps/storefront/src/main.ts');
