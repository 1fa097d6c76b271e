import './jest-global-setup-citus.ts';

/** Ends the Citus cluster of the test run. */
export default async function tearDown(): Promise<void> {
  await globalThis.meridianTestCitus?.stop();
}
