// The run against the images of all apps: `pnpm images test`, which builds them before.
import { common } from './jest.config.js';

export default { ...common, testMatch: ['**/test/images/**/*.test.ts'] };
