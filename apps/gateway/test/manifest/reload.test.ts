import { rename, writeFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import type { TestGateway } from '../support/test-gateway.ts';
import { manifestOf, persisted, startTestGateway } from '../support/test-gateway.ts';

const config = (more = ''): string =>
  `persisted_queries: { enabled: true, safelist: { enabled: true, require_id: true }, local_manifests: ["\${env.MANIFEST_PATH}"] ${more} }`;
const manifest = { one: 'query One { time }' };

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startTestGateway({ manifest, config: config(', hot_reload: true') });
});
afterEach(() => gateway.close());

describe('the manifest', () => {
  it('is read again when it changes', async () => {
    await replace(manifestOf({ two: 'query Two { time }' }));
    await eventually(async () => {
      expect((await gateway.post(persisted('two'))).code).toBeUndefined();
    });
    expect((await gateway.post(persisted('one'))).code).toBe('PERSISTED_QUERY_NOT_IN_LIST');
  });

  it('is refused when it turns bad, and the one of before stays', async () => {
    await replace('{');
    await eventually(() => {
      expect(gateway.log).toContainEqual(expect.objectContaining({ level: 'error' }));
    });
    expect((await gateway.post(persisted('one'))).code).toBeUndefined();
  });

  it('is checked when it is read: an operation that cannot run is told of in the log', async () => {
    await replace(manifestOf({ bad: 'query Bad { nothing }' }));
    await eventually(() => {
      expect(gateway.log).toContainEqual(
        expect.objectContaining({
          level: 'warn',
          id: 'bad',
          operation: 'Bad',
          code: 'GRAPHQL_VALIDATION_FAILED',
        }),
      );
    });
  });
});

async function replace(text: string): Promise<void> {
  await writeFile(`${gateway.manifestPath}.new`, text);
  await rename(`${gateway.manifestPath}.new`, gateway.manifestPath);
}
