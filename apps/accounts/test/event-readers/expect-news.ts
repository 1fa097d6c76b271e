import { expect } from '@jest/globals';

import type { FollowedStream } from '../routes/events/follow-events.ts';
import type { RunningAccounts } from '../running-accounts.ts';

type Agent = Awaited<ReturnType<RunningAccounts['another']>>;

/** Writes one after another, each when the one before was seen: looking each second or two would take too long. */
export async function expectNewsOf(writer: Agent, stream: FollowedStream, name = 'news'): Promise<void> {
  const count = 20;
  const before = stream.events.length;
  // The first may come before the subscription.
  await writer.post('/accounts').send(`{"id":"${name}-first","balance_minor_units":1}`).expect(201);
  await stream.reaches(before + 1);
  const startedMs = performance.now();
  for (let written = 0; written < count; written += 1) {
    await writer.post('/accounts').send(`{"id":"${name}-${written}","balance_minor_units":1}`).expect(201);
    await stream.reaches(before + 2 + written);
  }
  expect(performance.now() - startedMs).toBeLessThan((count / 2) * 1000);
}
