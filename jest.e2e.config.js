// The end-to-end run: whole stacks on free ports, one after another.
import { common } from './jest.config.js';

export default { ...common, testMatch: ['**/test/e2e/**/*.test.ts'] };
