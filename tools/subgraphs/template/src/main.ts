import { runServiceProcess } from '@meridian/service';

import { createApp } from './app.ts';
import { readConfig } from './config.ts';

await runServiceProcess('template', readConfig(), createApp);
