import { expect, it } from '@jest/globals';

import type { SubgraphSettings } from '../../src/config/subgraph-settings.ts';
import type { ConnectOptions } from '../../src/subgraphs/connect-subgraphs.ts';
import { connectSubgraphs } from '../../src/subgraphs/connect-subgraphs.ts';

const settings = { headerRules: [], responseHeaderRules: [] } as unknown as SubgraphSettings;

/** The place of a subgraph with this URL, which is part of the keys of its stored responses. */
function placeAt(url: string): string | undefined {
  const places: string[] = [];
  const options: Partial<ConnectOptions> = {
    settingsOf: () => settings,
    client: { exchangeWith: () => () => Promise.reject(new Error('not called')) } as never,
    tlsOf: () => undefined,
    measureCalls: () => (request, next) => next(request),
    openCache({ place }) {
      places.push(place);
      return [];
    },
  };
  connectSubgraphs([{ name: 'products', url }], options as ConnectOptions);
  return places[0];
}

it('A subgraph at another URL or socket has stored responses of its own', () => {
  const urls = [
    'unix:///run/one.sock?path=/graphql',
    'unix:///run/two.sock?path=/graphql',
    'unix:///run/two.sock?path=/other',
    'http://localhost/graphql',
    'http://localhost/graphql?version=2',
  ];
  expect(new Set(urls.map(placeAt)).size).toBe(urls.length);
  expect(placeAt('http://localhost/graphql')).toBe('http://localhost/graphql');
});
