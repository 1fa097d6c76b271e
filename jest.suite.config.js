// The run without the end-to-end tests, which start whole stacks: `pnpm test:suite`.
import all from './jest.config.js';

export default { ...all, testPathIgnorePatterns: [...all.testPathIgnorePatterns, '/test/e2e/'] };
