import { describe, expect, it } from '@jest/globals';

import { startExampleServer } from '../fixtures/example-server.ts';
import { failToStartServiceProcess } from '../fixtures/start-service-process.ts';

describe('runProcess', () => {
  it('exits 1 with one clear line when the port is in use', async () => {
    const other = await startExampleServer();
    const end = await failToStartServiceProcess({ PORT: String(other.port) });
    await other.close();
    expect(end).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `example cannot start: Cannot listen on 127.0.0.1:${other.port}: the port is in use by another process\n`,
    });
  });
});
