// The products subgraph as it ships, in production, but for the keys of its issuer: those are in a file.
import process from 'node:process';

import { readServiceConfig, runServiceProcess } from '@meridian/service';
import type { ServiceDependencies } from '@meridian/service';
import type { RequestListener } from 'node:http';

interface App {
  readonly createApp: (dependencies: ServiceDependencies) => Promise<RequestListener>;
}

const { createApp }: App = await import(
  new URL('../../../../apps/products/src/app.ts', import.meta.url).href
);
const config = readServiceConfig(
  { ...process.env, NODE_ENV: 'development' },
  { port: 0, adminPort: 0, requestDeadlineMs: 4000 },
);
await runServiceProcess('products', { ...config, mode: 'production' }, createApp);
