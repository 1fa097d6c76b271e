import './jest-global-setup.ts';

/** Ends the PostgreSQL of the test run. */
export default async function tearDown(): Promise<void> {
  await globalThis.meridianTestServer?.stop();
}
