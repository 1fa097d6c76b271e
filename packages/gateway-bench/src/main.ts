// `pnpm bench gateway`: see the README.
import process from 'node:process';

import { compareContenders } from './compare-contenders.ts';
import { readOptions } from './read-options.ts';
import { compareStages } from './stages/compare-stages.ts';
import { openTestBed } from './test-bed.ts';

const options = readOptions(process.argv.slice(2));
if ('usage' in options) {
  (options.isAskedFor ? process.stdout : process.stderr).write(options.usage);
  process.exit(options.isAskedFor ? 0 : 1);
}

const testBed = await openTestBed();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void testBed.close().finally(() => process.exit(1)));
}
try {
  const compare = options.stages ? compareStages : compareContenders;
  process.stdout.write(await compare(testBed, options));
} finally {
  await testBed.close();
}
