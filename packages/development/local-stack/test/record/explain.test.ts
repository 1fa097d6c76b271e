import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { LoopbackServer } from '@meridian/testing';
import { callCommand, listenOnLoopback } from '@meridian/testing';

import { dataDirectoryAt } from '../../src/data-directory.ts';
import { explainSecretPurpose } from '../../src/run/service-environment.ts';
import { removeStackRecord, writeStackRecord } from '../../src/record/stack-record.ts';
import { openStackSecret } from '../../src/stack-secret.ts';

const program = new URL('../../../../../tools/commands/explain.ts', import.meta.url);

let directory: string;
/** Acts as a gateway's admin listener. */
let admin: LoopbackServer;
let status = 200;
let received: { url: string | undefined; authorization: string | undefined }[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'meridian-explain-'));
  admin = await listenOnLoopback(({ url, headers: { authorization } }, response) => {
    received.push({ url, authorization });
    response.writeHead(status).end('what happened\n');
  });
});
afterEach(() => {
  status = 200;
  received = [];
});
afterAll(async () => {
  await admin.close();
  await rm(directory, { recursive: true });
});

function explain(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return callCommand(program, [...args, '--data', directory], { env });
}

describe('pnpm explain', () => {
  it("prints the gateway's explanation of a trace, with the secret of EXPLAIN_SECRET", async () => {
    const response = await explain(['4bf9', '--admin-url', admin.url], { EXPLAIN_SECRET: 'its-secret' });
    expect(response).toEqual({ code: 0, stdout: 'what happened\n', stderr: '' });
    expect(received).toEqual([{ url: '/explain?id=4bf9', authorization: 'Bearer its-secret' }]);
  });

  it("sends the gateway of pnpm start the stack's secret", async () => {
    expect((await explain(['4bf9', '--admin-url', admin.url])).stderr).toMatch(/^There is no secret: /);
    const secretFor = await openStackSecret(dataDirectoryAt(directory).secret);
    await explain(['4bf9', '--admin-url', admin.url]);
    expect(received).toEqual([
      { url: '/explain?id=4bf9', authorization: `Bearer ${secretFor(explainSecretPurpose)}` },
    ]);
  });

  it('asks the gateway of the running stack, whatever its port', async () => {
    const { running } = dataDirectoryAt(directory);
    writeStackRecord(running, {
      graphUrl: `${admin.url}/graphql`,
      accountsUrl: admin.url,
      gatewayAdminUrl: admin.url,
      gatewayDatabaseUrl: '',
      serverUrl: '',
    });
    expect(await explain(['4bf9'], { EXPLAIN_SECRET: 'its-secret' })).toMatchObject({ code: 0 });
    expect(received).toHaveLength(1);
    removeStackRecord(running);
  });

  it.each([
    [404, /^The gateway at http:\S+ knows no request 4bf9: it was too long ago/],
    [401, /^The gateway at http:\S+ takes another secret: set EXPLAIN_SECRET/],
  ])('says what a response with the status %i means', async (responded, message) => {
    status = responded;
    const { code, stderr } = await explain(['4bf9', '--admin-url', admin.url], { EXPLAIN_SECRET: 'x' });
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
  });

  it('says that nothing listens', async () => {
    const response = await explain(['4bf9', '--admin-url', 'http://127.0.0.1:1'], { EXPLAIN_SECRET: 'x' });
    expect(response).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^Nothing listens at http:\/\/127\.0\.0\.1:1: is the gateway running\?.*\n$/,
      ),
    });
  });

  it('rejects an address that is not a URL', async () => {
    expect(await explain(['4bf9', '--admin-url', 'here'], { EXPLAIN_SECRET: 'x' })).toEqual({
      code: 2,
      stdout: '',
      stderr: '--admin-url is "here"; it takes a URL: see pnpm explain --help\n',
    });
  });
});
