import { describe, expect, it } from '@jest/globals';

import { configOf, faultsOf } from '../read.fixture.ts';

describe('A duration', () => {
  it.each([
    ['5s', 5000],
    ['800ms', 800],
    ['1m 30s', 90_000],
    ['2min', 120_000],
    ['1h', 3_600_000],
  ])('of %s is %i ms', (written, milliseconds) => {
    expect(configOf(`traffic_shaping: { all: { timeout: ${written} } }`).traffic_shaping.all.timeout).toBe(
      milliseconds,
    );
  });

  it.each(['5', '"5"', 'soon', '0s', '5 fortnights', '30d', '-5s', '[5s]'])('cannot be %s', (written) => {
    expect(faultsOf(`traffic_shaping: { all: { timeout: ${written} } }`)).toEqual([
      expect.stringMatching(/^traffic_shaping\.all\.timeout: holds .*; it takes a time such as 5s/),
    ]);
  });
});

describe('An attribute of a resource', () => {
  const resource = (value: string): string =>
    `telemetry: { exporters: { tracing: { common: { resource: { it: ${value} } } } } }`;

  it.each([
    ['text', 'text'],
    ['7', 7],
    ['-0.5', -0.5],
    ['true', true],
    ['[a, b]', ['a', 'b']],
    ['[1, 2]', [1, 2]],
  ])('may be %s', (written, value) => {
    expect(configOf(resource(written)).telemetry.exporters.tracing.common.resource.get('it')).toEqual(value);
  });

  it.each(['{ a: b }', '[a, 1]', '[[a]]', "''", '.inf'])('cannot be %s', (written) => {
    expect(faultsOf(resource(written))).toEqual([
      expect.stringMatching(
        /^telemetry\.exporters\.tracing\.common\.resource\.it: holds .*; it takes a text, a number/,
      ),
    ]);
  });
});

describe('A number of bytes', () => {
  it.each([
    ['16MiB', 16_777_216],
    ['10MB', 10_000_000],
    ['10mb', 10_000_000],
    ['400KiB', 409_600],
    ['2000000', 2_000_000],
    ['1.5kb', 1500],
  ])('of %s is %i', (written, bytes) => {
    expect(configOf(`limits: { http_max_request_bytes: ${written} }`).limits.http_max_request_bytes).toBe(
      bytes,
    );
  });

  it.each(['0', '-1', 'lots', '3XB'])('cannot be %s', (written) => {
    expect(faultsOf(`limits: { http_max_request_bytes: ${written} }`)).toEqual([
      expect.stringContaining('limits.http_max_request_bytes: holds'),
    ]);
  });
});

describe('An address to listen on', () => {
  it.each([
    ['0.0.0.0:4000', { host: '0.0.0.0', port: 4000 }],
    ['"[::1]:4000"', { host: '::1', port: 4000 }],
    ['localhost:80', { host: '127.0.0.1', port: 80 }],
    ['/run/gateway.sock', { host: '/run/gateway.sock', port: 0 }],
    ['unix:///run/gateway.sock', { host: '/run/gateway.sock', port: 0 }],
  ])('may be %s', (written, address) => {
    expect(configOf(`supergraph: { listen: ${written} }`).supergraph.listen).toEqual(address);
  });

  it.each([
    '4000',
    'example.com:4000',
    '127.0.0.1',
    '127.0.0.1:70000',
    'gateway.sock',
    'unix://gateway.sock',
    'unix:///run/gateway.sock?path=/graphql',
    '/run/',
    `/${'a'.repeat(107)}`,
  ])('cannot be %s', (written) => {
    expect(faultsOf(`supergraph: { listen: "${written}" }`)).toHaveLength(1);
  });

  it('is not a socket for callbacks, which come over TCP', () => {
    expect(
      faultsOf('subscription: { mode: { callback: { public_url: "http://a/b", listen: /run/a.sock } } }'),
    ).toContainEqual(expect.stringContaining('callback.listen: holds'));
  });
});
