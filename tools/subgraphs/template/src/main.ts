import { dropOldEvents } from '@meridian/events';
import { runServiceProcess } from '@meridian/service';

import { createApp } from './app.ts';
import { readConfig } from './config.ts';

await runServiceProcess('template', readConfig(), (dependencies) => {
  dropOldEvents(dependencies.database, dependencies.logger);
  return createApp(dependencies);
});
