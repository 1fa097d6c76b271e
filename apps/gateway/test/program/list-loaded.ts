// Loaded before a gateway by `--import`. When its process ends, the file `<pid>.json` in the folder `LOADED_FOLDER` lists
// the modules that its main thread has loaded, also those inside Node.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

const loaded = new Set<string>();
if (isMainThread) {
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      loaded.add(resolved.url);
      return resolved;
    },
  });
  process.once('exit', () => {
    const path = join(process.env['LOADED_FOLDER'] ?? '', `${process.pid}.json`);
    writeFileSync(path, JSON.stringify([...loaded, Reflect.get(process, 'moduleLoadList')].flat()));
  });
}
