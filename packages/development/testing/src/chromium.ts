import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';

export type { Browser, Page, Request } from 'playwright-core';

/** Launches Debian's Chromium, for tests of `pnpm test:system`. It resolves no host but 127.0.0.1. */
export async function launchChromium(): Promise<Browser> {
  return await chromium.launch({
    executablePath: '/usr/bin/chromium',
    // Without a sandbox, so that it runs as root in CI's containers; it loads pages of this repository only.
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--no-sandbox'],
  });
}
