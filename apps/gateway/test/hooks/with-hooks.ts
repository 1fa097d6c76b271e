import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { TestGatewayOptions } from '../support/test-gateway.ts';

/**
 * A gateway with hooks.
 *
 * @param code the default export of its module
 * @param config further lines of router.yaml
 */
export function withHooks(
  code: string,
  config = '',
  options: TestGatewayOptions = {},
): TestGatewayOptions & { readonly config: string } {
  return {
    ...options,
    config: `${config}\nmeridian: { hooks: ./hooks.ts, hook_timeout: 200ms }`,
    async prepare(directory) {
      await writeFile(join(directory, 'hooks.ts'), `export default ${code};`);
      return {};
    },
  };
}
