import { runSubgraph } from '@meridian/subgraph';

import { createApp } from './app.ts';
import { readConfig } from './config.ts';

await runSubgraph('orders', readConfig(), createApp);
