import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';

/** Debian's Chromium, which finds no host but this one. */
export async function launchChromium(): Promise<Browser> {
  return await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--no-sandbox'],
  });
}
