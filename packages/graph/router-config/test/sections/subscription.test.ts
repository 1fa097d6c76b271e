import { describe, expect, it } from '@jest/globals';

import { faultsOf, read } from '../read.fixture.ts';

describe('subscription', () => {
  it('has the defaults of a file without it', () => {
    const { subscription } = read('').config;
    expect(subscription).toMatchObject({
      enabled: true,
      mode: { passthrough: undefined, callback: undefined },
      deduplication: { all: { enabled: true, ignored_headers: [] } },
      queue_capacity: 128,
    });
    expect(subscription.max_opened_subscriptions).toBeUndefined();
  });

  it('reads an interval of heartbeats as a time, a word, or none', () => {
    const intervalOf = (written: string): unknown =>
      read(`subscription: { mode: { passthrough: { all: { heartbeat_interval: ${written} } } } }`).config
        .subscription.mode.passthrough?.all?.heartbeat_interval;
    expect([intervalOf('10s'), intervalOf('enabled'), intervalOf('disabled')]).toEqual([
      10_000,
      5000,
      undefined,
    ]);
    expect(
      faultsOf('subscription: { mode: { passthrough: { all: { heartbeat_interval: often } } } }'),
    ).toHaveLength(1);
  });

  it.each(['deduplication: { enabled: false }', 'enable_deduplication: false'])(
    'takes the deduplication of earlier versions of Apollo Router: %s',
    (written) => {
      expect(read(`subscription: { ${written} }`).config.subscription.deduplication.all.enabled).toBe(false);
    },
  );

  it.each(['Authorization', 'cookie'])('refuses to ignore the header field %s', (name) => {
    expect(faultsOf(`subscription: { deduplication: { all: { ignored_headers: [${name}] } } }`)).toEqual([
      expect.stringContaining('callers with different rights would share one stream'),
    ]);
  });
});
