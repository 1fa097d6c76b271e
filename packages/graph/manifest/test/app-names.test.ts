import { appNames, parseManifest } from '@meridian/manifest';
import { describe, expect, it } from '@jest/globals';

describe('The name of an app', () => {
  it('is the name of its file', () => {
    expect([...appNames(['manifests/shop.json', 'manifests/ios.json']).values()]).toEqual(['shop', 'ios']);
  });

  it('is the name of the folder where files share a name', () => {
    const files = [
      'clients/ios/persisted-documents.json',
      'clients/web/persisted-documents.json',
      'shop.json',
    ];
    expect([...appNames(files).values()]).toEqual(['ios', 'web', 'shop']);
  });

  it('is in the manifest, with versions or without', () => {
    const parse = (app: unknown): unknown =>
      parseManifest(
        'm.json',
        JSON.stringify({
          format: 'apollo-persisted-query-manifest',
          version: 1,
          app,
          operations: [{ id: 'a', name: 'A', type: 'query', body: 'query A { a }' }],
        }),
      )[0]?.app;
    expect(parse({ name: 'shop', versions: ['1'] })).toEqual({ name: 'shop', versions: ['1'] });
    expect(parse({ name: 'shop' })).toEqual({ name: 'shop', versions: [] });
    expect(parse(undefined)).toBeUndefined();
    for (const app of [
      'shop',
      { name: '' },
      { name: 'shop', versions: '1' },
      { name: 'shop', versions: [1] },
    ]) {
      expect(() => parse(app)).toThrow('Cannot read the manifest m.json: its app is not');
    }
  });
});
