import './jest-global-setup.ts';

/** Ends the server of the test run. While jest watches, the next run needs it; it ends with this process. */
export default async function tearDown(options: { watch: boolean; watchAll: boolean }): Promise<void> {
  if (!options.watch && !options.watchAll) {
    await globalThis.meridianTestServer?.stop();
  }
}
